import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestProject, password, type TestBrowser, type TestProject, type TestTab } from './open-test-project.ts'
import { isSignedIn } from '#session/session-state.ts'

let project: TestProject
let people = 0

beforeAll(async () => {
  project = await openTestProject()
})
afterAll(() => project.close())
afterEach(() => project.intercept(undefined))

async function signedIn(metadata?: Record<string, unknown>): Promise<{ browser: TestBrowser; tab: TestTab; email: string; id: string }> {
  const email = `person-${(people += 1)}@example.com`
  const id = await project.addPerson(email, metadata)
  const browser = project.openBrowser()
  const tab = browser.openTab()
  await tab.connection.client.auth.signInWithPassword({ email, password })
  await tab.until('signed-in')
  return { browser, tab, email, id }
}

const reasonOf = (tab: TestTab) => {
  const state = tab.store.current()
  return state.step === 'signed-out' ? state.reason : state.step
}

describe('who is signed in', () => {
  it('is known after a reload, by the person and the session', async () => {
    const { browser, tab, email } = await signedIn()
    const before = tab.store.current()
    tab.close()
    const again = browser.openTab()
    await again.until('signed-in')
    const after = again.store.current()
    expect(isSignedIn(after) && after.user.email).toBe(email)
    expect(isSignedIn(after) && isSignedIn(before) && after.session.id === before.session.id).toBe(true)
    expect(isSignedIn(after) && after.session.methods).toEqual(['password'])
  })

  it('draws nothing anew when the client repeats that somebody signed in', async () => {
    const { tab } = await signedIn()
    const before = tab.store.current()
    let drawn = 0
    tab.store.subscribe(() => (drawn += 1))
    for (let looks = 0; looks < 3; looks += 1) await tab.store.settle()
    expect(drawn).toBe(0)
    expect(tab.store.current()).toBe(before)
  })

  it('is nobody, without a reason, on a first visit', async () => {
    const tab = project.openBrowser().openTab()
    await tab.until('signed-out')
    expect(tab.store.current()).toEqual({ step: 'signed-out', reason: null, last: null })
  })

  it('is read from the token when the user object was lost, as on a sibling app’s first visit', async () => {
    const { browser, email } = await signedIn()
    const other = project.openBrowser()
    for (const [name, value] of browser.cookies) other.cookies.set(name, value)
    project.intercept((request) => (request.url.endsWith('/user') ? Response.error() : undefined))
    const tab = other.openTab()
    await tab.until('signed-in')
    const state = tab.store.current()
    expect(isSignedIn(state) && state.user.email).toBe(email)
  })

  it('holds with 30 kB of metadata in the token', async () => {
    const { browser, tab } = await signedIn({ note: 'n'.repeat(30_000) })
    expect(browser.cookies.size).toBeGreaterThan(10)
    const { error } = await tab.connection.client.auth.updateUser({ data: { full_name: 'Ada' } })
    expect(error).toBeNull()
    tab.close()
    await browser.openTab().until('signed-in')
  })
})

describe('the end of a session', () => {
  it('is told in the other tabs, with the person it belonged to', async () => {
    const { browser, tab, email, id } = await signedIn()
    const other = browser.openTab()
    await other.until('signed-in')
    expect(await tab.store.signOut('local')).toBeNull()
    expect(reasonOf(tab)).toBe('signed-out-here')
    other.look()
    await vi.waitFor(() => expect(other.store.current()).toEqual({ step: 'signed-out', reason: 'signed-out-elsewhere', last: { id, email } }), { timeout: 20_000 })
  })

  it('on another device is found out when the person looks again', async () => {
    const { tab, email } = await signedIn()
    const { client } = project.openBrowser().openTab().connection
    await client.auth.signInWithPassword({ email, password })
    await client.auth.signOut({ scope: 'others' })
    await tab.store.verify()
    await later(() => tab.store.verify(), 31_000)
    expect(reasonOf(tab)).toBe('revoked')
  })

  it('names the block of an account, and its deletion', async () => {
    const blocked = await signedIn()
    await project.admin(`/users/${blocked.id}`, 'PUT', { ban_duration: '24h' })
    await later(() => blocked.tab.store.verify(), 31_000)
    expect(reasonOf(blocked.tab)).toBe('banned')

    const deleted = await signedIn()
    await project.admin(`/users/${deleted.id}`, 'DELETE', {})
    await later(() => deleted.tab.store.verify(), 31_000)
    expect(reasonOf(deleted.tab)).toBe('deleted')
  })

  it('does not come from a server that fails or does not answer', async () => {
    const { tab } = await signedIn()
    for (const answer of [() => Response.error(), () => Response.json({ message: 'down' }, { status: 503 })]) {
      project.intercept(answer)
      await later(() => tab.store.verify(), 31_000)
      expect(tab.store.current().step).toBe('signed-in')
    }
  })

  it('is not believed to have happened when the server could not be told', async () => {
    const { tab } = await signedIn()
    project.intercept((request) => (request.url.includes('/logout') ? Response.error() : undefined))
    expect(await tab.store.signOut('global')).toBeInstanceOf(Error)
    expect(tab.store.current().step).toBe('signed-in')
  })
})

describe('damaged cookies', () => {
  it('are cleared at the start, once, and explained', async () => {
    const { browser, tab } = await signedIn({ note: 'n'.repeat(8_000) })
    tab.close()
    browser.cookies.delete(`${tab.connection.cookies.name}.1`)
    const again = browser.openTab()
    await again.until('signed-out')
    expect(reasonOf(again)).toBe('damaged-cookies')
    expect(browser.cookies.size).toBe(0)
    again.close()
    const next = browser.openTab()
    await next.until('signed-out')
    expect(reasonOf(next)).toBeNull()
  })

  it('of a browser that drops what is over its limit are told of at sign-in', async () => {
    const email = `person-${(people += 1)}@example.com`
    await project.addPerson(email, { note: 'n'.repeat(8_000) })
    const browser = project.openBrowser()
    const tab = browser.openTab()
    await tab.until('signed-out')
    browser.drop((name) => name.endsWith('.1'))
    await tab.connection.client.auth.signInWithPassword({ email, password })
    await vi.waitFor(() => expect(reasonOf(tab)).toBe('damaged-cookies'), { timeout: 20_000 })
    expect(browser.cookies.size).toBe(0)
  })

  it('of two sessions mixed are mended by a renewal', async () => {
    const { browser, tab } = await signedIn()
    const { name } = tab.connection.cookies
    tab.close()
    browser.cookies.set(name, withExpiry(browser.cookies.get(name) ?? '', 7_200))
    const again = browser.openTab()
    await again.until('signed-in')
    expect(await again.connection.cookies.inspect()).toMatchObject({ kind: 'sound', mixed: false })
  })
})

describe('two tabs', () => {
  it('renewing at once, fifty times, sign nobody out', async () => {
    const { browser, tab } = await signedIn()
    const other = browser.openTab()
    await other.until('signed-in')
    for (let round = 0; round < 50; round += 1) {
      await Promise.all([tab, other].map(({ connection }) => connection.client.auth.refreshSession()))
    }
    await Promise.all([tab.store.settle(), other.store.settle()])
    expect([tab, other].map(({ store }) => store.current().step)).toEqual(['signed-in', 'signed-in'])
    const { data } = await other.connection.client.auth.getUser()
    expect(data.user).not.toBeNull()
  })
})

describe('a call whose token could not be renewed', () => {
  it('is held back instead of being asked as nobody', async () => {
    const { browser, tab } = await signedIn()
    const { name } = tab.connection.cookies
    const real = Date.now
    project.intercept((request) => {
      if (!request.url.includes('grant_type=refresh_token')) return undefined
      // The client would try for half a minute.
      Date.now = () => real() + 40_000
      return Response.error()
    })
    browser.cookies.set(name, withExpiry(browser.cookies.get(name) ?? '', -10))
    const { error, status } = await tab.connection.client.from('anything').select()
    Date.now = real
    expect(status).toBe(503)
    expect(error?.code).toBe('portico_session_unready')
  })
})

/** The same cookie with another moment of expiry, `seconds` from now. */
function withExpiry(cookie: string, seconds: number): string {
  const text = Buffer.from(cookie.slice('base64-'.length), 'base64url').toString()
  const session = { ...(JSON.parse(text) as object), expires_at: Math.floor(Date.now() / 1000) + seconds }
  return `base64-${Buffer.from(JSON.stringify(session)).toString('base64url')}`
}

/** Runs something as if `ms` had passed: the store asks the server twice a minute at most. */
async function later(work: () => Promise<void>, ms: number): Promise<void> {
  const real = Date.now
  Date.now = () => real() + ms
  try {
    await work()
  } finally {
    Date.now = real
  }
}
