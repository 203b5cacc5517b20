import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { readArrival } from '#session/arrival.ts'
import { openArrival } from '#session/callback.ts'
import { openTestProject, password, type TestBrowser, type TestProject, type TestTab } from './open-test-project.ts'

let project: TestProject
let people = 0

beforeAll(async () => {
  project = await openTestProject()
})
afterAll(() => project.close())
afterEach(() => vi.useRealTimers())

const newEmail = () => `proof-${(people += 1)}@example.com`
const proofsIn = (browser: TestBrowser) => [...browser.cookies.keys()].filter((name) => name.endsWith('-code-verifier'))

/** Asks for a mail whose link needs this browser's proof. */
async function begin(tab: TestTab, email = newEmail()): Promise<string> {
  const { error } = await tab.connection.client.auth.signUp({ email, password, options: { emailRedirectTo: 'http://127.0.0.1:54321/callback' } })
  expect(error).toBeNull()
  return email
}

async function enter(tab: TestTab): Promise<void> {
  const email = newEmail()
  await project.addPerson(email)
  await tab.connection.client.auth.signInWithPassword({ email, password })
  await tab.until('signed-in')
}

async function openTab(browser: TestBrowser, step = 'signed-out'): Promise<TestTab> {
  const tab = browser.openTab()
  await tab.until(step)
  return tab
}

const comesIn = async (tab: TestTab, email: string) => {
  const { hostedLink } = await project.lastMail(email)
  return openArrival({ connection: tab.connection, pending: undefined, signedIn: undefined }, readArrival(await project.follow(hostedLink)))
}

describe('the proofs of sign-ins under way', () => {
  it('are gone once the tab that asked is in by another way', async () => {
    const browser = project.openBrowser()
    const tab = await openTab(browser)
    const email = await begin(tab)
    expect(proofsIn(browser)).not.toEqual([])
    await tab.connection.client.auth.verifyOtp({ email, token: (await project.lastMail(email)).code, type: 'signup' })
    await tab.until('signed-in')
    await vi.waitFor(() => expect(proofsIn(browser)).toEqual([]), { timeout: 20_000 })
  })

  it('are gone after a sign-out, also those the official client has lost from its list', async () => {
    const browser = project.openBrowser()
    const tab = await openTab(browser)
    await enter(tab)
    // Asked for while signed in: a new address.
    await tab.connection.client.auth.updateUser({ email: newEmail() })
    browser.cookies.delete(`${tab.connection.cookies.name}-flows-code-verifier`)
    expect(proofsIn(browser)).not.toEqual([])
    await tab.store.signOut('local')
    expect(proofsIn(browser)).toEqual([])
  })

  it('of another tab that has just begun survive a sign-out here, and still let it in', async () => {
    const browser = project.openBrowser()
    const tab = await openTab(browser)
    const other = await openTab(browser)
    await enter(tab)
    other.look()
    await other.until('signed-in')
    const email = await begin(other)
    await tab.store.signOut('local')
    other.look()
    await other.until('signed-out')
    expect(await comesIn(other, email)).toMatchObject({ step: 'done' })
  })

  it('of another tab that has begun long ago do not', async () => {
    const browser = project.openBrowser()
    const other = await openTab(browser)
    await begin(other)
    other.close()
    const tab = await openTab(browser)
    await enter(tab)
    expect(proofsIn(browser)).not.toEqual([])
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60 * 1000 })
    await tab.store.signOut('local')
    expect(proofsIn(browser)).toEqual([])
  })

  it('go when they are older than any link', async () => {
    const browser = project.openBrowser()
    const tab = await openTab(browser)
    await begin(tab)
    tab.close()
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 25 * 60 * 60 * 1000 })
    await openTab(browser)
    await vi.waitFor(() => expect(proofsIn(browser)).toEqual([]), { timeout: 20_000 })
  })

  it('are found when two tabs began at once and the official list lost one', async () => {
    const browser = project.openBrowser()
    const tab = await openTab(browser)
    const older = await begin(tab)
    await begin(tab)
    browser.cookies.delete(`${tab.connection.cookies.name}-flows-code-verifier`)
    expect(await comesIn(tab, older)).toMatchObject({ step: 'done' })
  })
})
