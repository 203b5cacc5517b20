import { describe, expect, it } from 'vitest'
import { findNearest, findSimilar } from './fuzzy.ts'

describe('findNearest', () => {
  const names = ['films', 'directors', 'roles', 'actors']

  it('finds the name that was meant', () => {
    expect(findNearest(names, 'film')).toBe('films')
    expect(findNearest(names, 'rolls')).toBe('roles')
  })

  it('suggests nothing for a word like none', () => {
    expect(findNearest(names, 'noclosealternative')).toBeUndefined()
    expect(findNearest([], 'film')).toBeUndefined()
  })

  it('knows the same word in another case for the same', () => {
    expect(findSimilar(names, 'Roles')).toEqual([{ name: 'roles', score: 1 }])
  })

  it('asks for more likeness where names are to be kept', () => {
    expect(findNearest(['accounts'], 'account', 0.75)).toBe('accounts')
    expect(findNearest(['accounts'], 'acc', 0.75)).toBeUndefined()
  })
})
