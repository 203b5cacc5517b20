import { stringToBase64URL } from '@supabase/ssr'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readClaims } from '#api/cookie-jar.ts'
import { openTestStorage } from '#api/open-test-page.ts'
import { KeptAccounts } from '#session/kept-accounts.ts'
import { isSignedIn } from '#session/session-state.ts'
import { openTestProject, password, type TestProject, type TestTab } from './open-test-project.ts'

let project: TestProject
let people = 0

beforeAll(async () => {
  project = await openTestProject()
})
afterAll(() => project.close())
afterEach(() => project.intercept(undefined))

const addPerson = async () => {
  const email = `kept-${(people += 1)}@example.com`
  return { email, id: await project.addPerson(email, { full_name: `Person ${people}` }) }
}

async function signIn(tab: TestTab, email: string) {
  await tab.connection.client.auth.signInWithPassword({ email, password })
  await tab.until('signed-in')
}

const whoIs = (tab: TestTab) => {
  const state = tab.store.current()
  return isSignedIn(state) ? state.user.email : state.step
}
const sessionOf = (tab: TestTab) => {
  const state = tab.store.current()
  return isSignedIn(state) ? state.session.id : ''
}

/** Whether the session of an access token still stands on the server. */
async function isAlive(tab: TestTab, accessToken: string | undefined): Promise<boolean> {
  if (accessToken === undefined) throw new Error('no token to ask about')
  return (await tab.connection.openAside().auth.getUser(accessToken)).error === null
}

/** One browser in which the first of two people was set aside for the second. */
async function openTwo() {
  const [first, second] = [await addPerson(), await addPerson()]
  const browser = project.openBrowser()
  const tab = browser.openTab()
  const storage = openTestStorage()
  const kept = new KeptAccounts(tab.store, storage)
  await signIn(tab, first.email)
  const session = sessionOf(tab)
  await kept.setAside()
  await signIn(tab, second.email)
  return { browser, tab, storage, kept, first, second, session }
}

describe('an account that is set aside', () => {
  it('leaves the door plain in every tab, and its session alive', async () => {
    const { email } = await addPerson()
    const browser = project.openBrowser()
    const [tab, other] = [browser.openTab(), browser.openTab()]
    await signIn(tab, email)
    other.look()
    await other.until('signed-in')
    const kept = new KeptAccounts(tab.store, openTestStorage())
    const { data } = await tab.connection.client.auth.getSession()
    await kept.setAside()
    expect(await isAlive(tab, data.session?.access_token)).toBe(true)
    expect(tab.store.current()).toMatchObject({ step: 'signed-out', reason: 'set-aside' })
    await other.until('signed-out')
    await expect.poll(() => other.store.current()).toMatchObject({ reason: 'signed-out-elsewhere' })
    expect(kept.list()).toEqual([expect.objectContaining({ address: email })])
  })

  it('is come back to without a password, as the very session it was, and the other takes its place', async () => {
    const { tab, kept, first, second, session } = await openTwo()
    expect(kept.list().map(({ address }) => address)).toEqual([first.email])
    await kept.use(first.id)
    expect([whoIs(tab), sessionOf(tab)]).toEqual([first.email, session])
    expect(kept.list().map(({ address }) => address)).toEqual([second.email])
    await kept.use(second.id)
    expect(whoIs(tab)).toBe(second.email)
  })

  it('follows in every tab', async () => {
    const { browser, kept, first, second } = await openTwo()
    const other = browser.openTab()
    await other.until('signed-in')
    expect(whoIs(other)).toBe(second.email)
    await kept.use(first.id)
    await expect.poll(() => (other.look(), whoIs(other))).toBe(first.email)
  })

  it('keeps its tokens good when its access token has run out meanwhile', async () => {
    const { tab, storage, kept, first } = await openTwo()
    const key = storage.key(0) as string
    const [stored] = JSON.parse(storage.getItem(key) as string) as { access_token: string }[]
    const [header, , seal] = (stored as { access_token: string }).access_token.split('.')
    const claims = stringToBase64URL(JSON.stringify({ ...readClaims((stored as { access_token: string }).access_token), exp: 1 }))
    storage.setItem(key, JSON.stringify([{ ...stored, access_token: [header, claims, seal].join('.') }]))
    await kept.use(first.id)
    expect(whoIs(tab)).toBe(first.email)
  })

  it('that was ended by the server is said so and kept no more, and nothing happens to the one in use', async () => {
    const { tab, kept, first, second } = await openTwo()
    await project.admin(`/users/${first.id}`, 'DELETE', {})
    await expect(kept.use(first.id)).rejects.toMatchObject({ code: 'portico_account_ended' })
    expect(kept.list()).toEqual([])
    await tab.store.settle()
    expect(whoIs(tab)).toBe(second.email)
    expect((await tab.connection.client.auth.getUser()).error).toBeNull()
  })

  it('stays kept when the project cannot be reached, and so does the one in use', async () => {
    const { tab, kept, first, second } = await openTwo()
    project.intercept(() => Response.error())
    await expect(kept.use(first.id)).rejects.toMatchObject({ kind: 'offline' })
    project.intercept(undefined)
    expect(whoIs(tab)).toBe(second.email)
    await kept.use(first.id)
    expect(whoIs(tab)).toBe(first.email)
  })

  it('is signed out on the server when it is taken off the list', async () => {
    const { tab, storage, kept, first } = await openTwo()
    const [stored] = JSON.parse(storage.getItem(storage.key(0) as string) as string) as { access_token: string }[]
    await kept.end(first.id)
    expect(kept.list()).toEqual([])
    expect(await isAlive(tab, stored?.access_token)).toBe(false)
  })

  it('is not kept by who did not want to stay signed in: the session ends', async () => {
    const { email } = await addPerson()
    const tab = project.openBrowser().openTab()
    tab.connection.cookies.setLasting(false)
    await signIn(tab, email)
    const { data } = await tab.connection.client.auth.getSession()
    const kept = new KeptAccounts(tab.store, openTestStorage())
    expect(kept.keepsPresent()).toBe(false)
    await kept.setAside()
    expect(kept.list()).toEqual([])
    expect(await isAlive(tab, data.session?.access_token)).toBe(false)
  })

  it('that signs in anew has its older session ended once the newer is set aside', async () => {
    const { tab, storage, kept, first } = await openTwo()
    const older = (JSON.parse(storage.getItem(storage.key(0) as string) as string) as { access_token: string }[])[0]?.access_token
    await kept.setAside()
    await signIn(tab, first.email)
    await kept.setAside()
    expect(kept.list()).toHaveLength(2)
    await expect.poll(() => isAlive(tab, older)).toBe(false)
  })
})

describe('what is stored of kept accounts', () => {
  it('is taken for nothing when it is damaged', () => {
    const tab = project.openBrowser().openTab()
    const storage = openTestStorage()
    const kept = new KeptAccounts(tab.store, storage)
    for (const text of ['{', '{}', '[1,null]', '[{"id":"x"}]', '"text"']) {
      storage.setItem(`portico.accounts.${tab.connection.cookies.name}`, text)
      expect(kept.list()).toEqual([])
    }
  })
})
