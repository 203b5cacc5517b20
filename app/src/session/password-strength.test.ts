import { describe, expect, it } from 'vitest'
import { hasClass, strengthOf } from './password-strength.ts'

describe('the strength of a password', () => {
  it.each([
    ['', 0],
    ['aaaaaaaaaaaa', 0],
    ['12345678', 0],
    ['Password123', 0],
    ['kx7#', 0],
    ['four plain words here', 4],
    ['T7v!kq92Lm#x', 4],
  ])('of "%s" is %i', (password, strength) => {
    expect(strengthOf(password)).toBe(strength)
  })

  it('is less where it holds what everyone knows of the person', () => {
    expect(strengthOf('lovelace1815', ['ada.lovelace@example.com'])).toBeLessThan(strengthOf('mountain1815', ['ada.lovelace@example.com']))
  })

  it('never falls as it grows', () => {
    const words = 'correct horse battery staple'
    const steps = [...words].map((_letter, index) => strengthOf(words.slice(0, index + 1)))
    expect(steps).toEqual([...steps].sort((a, b) => a - b))
  })
})

it('counts letters of every script', () => {
  expect([hasClass('ж', 'lower'), hasClass('Ж', 'upper'), hasClass('字', 'letters'), hasClass('ß1', 'symbols'), hasClass('€', 'symbols')]).toEqual([true, true, true, false, true])
})
