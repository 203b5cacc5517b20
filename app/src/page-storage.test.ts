import { expect, it } from 'vitest'
import { replaceRefusedStorage } from './page-storage.ts'

const pageWith = (get: () => Storage | null) => Object.defineProperties({}, { localStorage: { configurable: true, get }, sessionStorage: { configurable: true, get } }) as Window

it('gives a page whose storage is refused one that lasts for the page', () => {
  const page = pageWith(() => {
    throw new DOMException('refused', 'SecurityError')
  })
  replaceRefusedStorage(page)
  page.localStorage.setItem('a', '1')
  expect([page.localStorage.getItem('a'), page.localStorage.length, page.sessionStorage.getItem('a')]).toEqual(['1', 1, null])
})

it('leaves storage that works as it is', () => {
  const real = { getItem: () => 'kept' } as unknown as Storage
  const page = pageWith(() => real)
  replaceRefusedStorage(page)
  expect(page.localStorage).toBe(real)
})
