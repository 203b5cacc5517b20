import { expect, it } from 'vitest'
import { openTestStorage } from '#api/open-test-page.ts'
import { renew, type VersionParts } from './newer-version.ts'

const pageOf = (script: string) => `<!doctype html><script type="module" src="${script}"></script>`

function openPage(own = '/assets/index-old.js') {
  let reloads = 0
  const page = Object.assign(new EventTarget(), {
    document: { querySelector: () => ({ getAttribute: () => own }) } as unknown as Document,
    sessionStorage: openTestStorage(),
    location: { reload: () => void (reloads += 1) },
  })
  return { page: page as VersionParts['page'] & EventTarget, reloads: () => reloads }
}
const serving = (text: string): typeof fetch => () => Promise.resolve(new Response(text))

it('reloads a page whose app was replaced, once a minute at most', async () => {
  const { page, reloads } = openPage()
  const at = (now: number) => renew({ page, fetch: serving(pageOf('/assets/index-new.js')), now: () => now })
  expect(await at(100_000)).toBe('reloading')
  expect(await at(100_500)).toBe('newer')
  expect(await at(161_000)).toBe('reloading')
  expect(reloads()).toBe(2)
})

it('leaves a page alone that is the newest, or whose server says nothing of use', async () => {
  const { page, reloads } = openPage()
  expect(await renew({ page, fetch: serving(pageOf('/assets/index-old.js')) })).toBe('same')
  expect(await renew({ page, fetch: serving('Bad gateway') })).toBe('same')
  expect(await renew({ page, fetch: () => Promise.reject(new TypeError('no network')) })).toBe('same')
  expect(reloads()).toBe(0)
})

it('asks instead where something on the page would ask before it is left', async () => {
  const { page, reloads } = openPage()
  page.addEventListener('beforeunload', (event) => event.preventDefault())
  expect(await renew({ page, fetch: serving(pageOf('/assets/index-new.js')) })).toBe('newer')
  expect(reloads()).toBe(0)
})
