import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { explain } from '#api/explain.ts'
import { errors as english } from '#messages/en/errors.ts'
import { readArrival } from '#session/arrival.ts'
import { confirmArrival, openArrival, takeSession, type CallbackParts } from '#session/callback.ts'
import { openTestProject, password, type TestMail, type TestProject, type TestTab } from './open-test-project.ts'
import { isSignedIn } from '#session/session-state.ts'

let project: TestProject
let people = 0

beforeAll(async () => {
  project = await openTestProject()
})
afterAll(() => project.close())
afterEach(() => project.intercept(undefined))

const newEmail = () => `callback-${(people += 1)}@example.com`

/** Signs up in a tab and gives the mail that came. */
async function signUp(tab: TestTab, email: string): Promise<TestMail> {
  const { error } = await tab.connection.client.auth.signUp({ email, password, options: { emailRedirectTo: 'http://127.0.0.1:54321/callback' } })
  expect(error).toBeNull()
  return project.lastMail(email)
}

const partsOf = (tab: TestTab, email?: string): CallbackParts => {
  const state = tab.store.current()
  return {
    connection: tab.connection,
    pending: email === undefined ? undefined : { way: 'signup', email, startedAt: Date.now(), to: '/account' },
    signedIn: isSignedIn(state) ? state.user : undefined,
  }
}

async function openTab() {
  const browser = project.openBrowser()
  const tab = browser.openTab()
  await tab.until('signed-out')
  return { browser, tab }
}

describe('a link with a code', () => {
  it('lets in the browser that asked for it, to where the person wanted to go', async () => {
    const { tab } = await openTab()
    const email = newEmail()
    const mail = await signUp(tab, email)
    const arrival = readArrival(await project.follow(mail.hostedLink))
    expect(await openArrival(partsOf(tab, email), arrival)).toEqual({ step: 'done', recovery: false, to: '/account' })
    await tab.until('signed-in')
  })

  it('finds the proof of an older flow when a newer one was begun since', async () => {
    const { tab } = await openTab()
    const older = await signUp(tab, newEmail())
    await signUp(tab, newEmail())
    const arrival = readArrival(await project.follow(older.hostedLink))
    expect((await openArrival(partsOf(tab), arrival)).step).toBe('done')
  })

  it('is kept, with its proof, when no answer comes', async () => {
    const { browser, tab } = await openTab()
    const mail = await signUp(tab, newEmail())
    const arrival = readArrival(await project.follow(mail.hostedLink))
    const proofs = new Map(browser.cookies)
    project.intercept((request) => (request.url.includes('grant_type=pkce') ? Response.error() : undefined))
    expect(await openArrival(partsOf(tab), arrival)).toMatchObject({ step: 'failed', why: 'offline' })
    expect(browser.cookies).toEqual(proofs)
    project.intercept(undefined)
    expect((await openArrival(partsOf(tab), arrival)).step).toBe('done')
  })

  it('says so when it was asked for in another browser, and leaves the flows of this one alone', async () => {
    const { tab } = await openTab()
    const mail = await signUp(tab, newEmail())
    const other = await openTab()
    const arrival = readArrival(await project.follow(mail.hostedLink))
    expect(await openArrival(partsOf(other.tab), arrival)).toMatchObject({ step: 'failed', why: 'other-browser' })
    const own = await signUp(other.tab, newEmail())
    expect(await openArrival(partsOf(other.tab), arrival)).toMatchObject({ step: 'failed', why: 'other-browser' })
    expect((await openArrival(partsOf(other.tab), readArrival(await project.follow(own.hostedLink)))).step).toBe('done')
  })

  it('says so when it is followed a second time by somebody who is in', async () => {
    const { tab } = await openTab()
    const mail = await signUp(tab, newEmail())
    const arrival = readArrival(await project.follow(mail.hostedLink))
    await openArrival(partsOf(tab), arrival)
    await tab.until('signed-in')
    expect(await openArrival(partsOf(tab), arrival)).toMatchObject({ step: 'failed', why: 'spent' })
    expect(tab.store.current().step).toBe('signed-in')
  })

  it('of a recovery mail leads to a new password, in every tab', async () => {
    const { browser, tab } = await openTab()
    const email = newEmail()
    await project.addPerson(email)
    const other = browser.openTab()
    await tab.connection.client.auth.resetPasswordForEmail(email, { redirectTo: 'http://127.0.0.1:54321/callback' })
    const mail = await project.lastMail(email)
    expect(await openArrival(partsOf(tab), readArrival(await project.follow(mail.hostedLink)))).toMatchObject({ step: 'done', recovery: true })
    await tab.until('recovering')
    other.look()
    await other.until('recovering')
    await tab.store.endRecovery()
    other.look()
    await other.until('signed-in')
  })
})

describe('a link with the mail’s token', () => {
  it('waits for a press, so that a scanner that opens it burns nothing', async () => {
    const { tab } = await openTab()
    const email = newEmail()
    const mail = await signUp(tab, email)
    const arrival = readArrival(`http://127.0.0.1:54321/callback?token_hash=${mail.tokenHash}&type=signup`)
    const other = await openTab()
    for (let visits = 0; visits < 3; visits += 1) expect(await openArrival(partsOf(other.tab), arrival)).toEqual({ step: 'confirm', type: 'signup' })
    expect(await confirmArrival(partsOf(tab, email), arrival)).toEqual({ step: 'done', recovery: false, to: '/account' })
  })

  it('works in any browser, and there shows whose it is before anything is entered', async () => {
    const { tab } = await openTab()
    const email = newEmail()
    const mail = await signUp(tab, email)
    const other = await openTab()
    const arrival = readArrival(`http://127.0.0.1:54321/callback?token_hash=${mail.tokenHash}&type=signup`)
    const asked = await confirmArrival(partsOf(other.tab), arrival)
    expect(asked).toMatchObject({ step: 'check-person', email })
    expect(other.tab.store.current().step).toBe('signed-out')
    if (asked.step === 'check-person') await takeSession(other.tab.connection, asked.found)
    await other.tab.until('signed-in')
    expect(await confirmArrival(partsOf(other.tab), arrival)).toMatchObject({ step: 'failed', why: 'spent' })
  })

  it('of somebody else leaves a signed-in person who they are until they agree', async () => {
    const { tab: attacker } = await openTab()
    const mail = await signUp(attacker, newEmail())
    const { browser, tab } = await openTab()
    const victim = newEmail()
    await project.addPerson(victim)
    await tab.connection.client.auth.signInWithPassword({ email: victim, password })
    await tab.until('signed-in')
    const cookies = new Map(browser.cookies)
    for (const type of ['signup', 'recovery']) {
      const asked = await confirmArrival(partsOf(tab), readArrival(`http://127.0.0.1:54321/callback?token_hash=${mail.tokenHash}&type=${type}`))
      if (asked.step === 'check-person') await asked.found.discard()
      expect(asked.step).toBe(type === 'signup' ? 'check-person' : 'failed')
    }
    await tab.store.settle()
    const state = tab.store.current()
    expect(isSignedIn(state) && state.user.email).toBe(victim)
    expect(browser.cookies).toEqual(cookies)
  })
})

describe('a link that carries a session', () => {
  it('is taken only after the server has said whose it is', async () => {
    const { tab } = await openTab()
    const email = newEmail()
    await project.addPerson(email)
    const { tab: attacker } = await openTab()
    const { data } = await attacker.connection.client.auth.signInWithPassword({ email, password })
    const address = `http://127.0.0.1:54321/callback#access_token=${data.session?.access_token}&refresh_token=${data.session?.refresh_token}&type=magiclink`
    expect(await openArrival(partsOf(tab), readArrival(address))).toEqual({ step: 'confirm-person', email })
    expect(tab.store.current().step).toBe('signed-out')
    expect((await confirmArrival(partsOf(tab), readArrival(address))).step).toBe('done')
    await tab.until('signed-in')
  })

  it('whose session has ended does not end the session of the person who follows it', async () => {
    const { tab: attacker } = await openTab()
    const { tab } = await openTab()
    const [theirs, own] = [newEmail(), newEmail()]
    await project.addPerson(theirs)
    await project.addPerson(own)
    const { data } = await attacker.connection.client.auth.signInWithPassword({ email: theirs, password })
    await attacker.connection.client.auth.signOut({ scope: 'global' })
    await tab.connection.client.auth.signInWithPassword({ email: own, password })
    await tab.until('signed-in')
    const address = `http://127.0.0.1:54321/callback#access_token=${data.session?.access_token}&refresh_token=x&type=magiclink`
    expect(await openArrival(partsOf(tab), readArrival(address))).toMatchObject({ step: 'failed', why: 'spent' })
    await tab.store.settle()
    expect(tab.store.current().step).toBe('signed-in')
  })

  it('is refused when the server did not sign it', async () => {
    const { tab } = await openTab()
    const forged = `${btoa('{"alg":"none"}')}.${btoa('{"sub":"someone","email":"ada@example.com"}')}.`
    expect(await openArrival(partsOf(tab), readArrival(`http://127.0.0.1:54321/callback#access_token=${forged}&refresh_token=x`))).toMatchObject({ step: 'failed' })
    expect(tab.store.current().step).toBe('signed-out')
  })
})

describe('a link that failed on the way', () => {
  it.each([
    ['otp_expired', 'spent'],
    ['flow_state_expired', 'too-late'],
    ['access_denied', 'cancelled'],
    ['signup_disabled', 'refused'],
  ])('with %s is explained as %s', async (code, why) => {
    const { tab } = await openTab()
    const arrival = readArrival(`http://127.0.0.1:54321/callback?error=access_denied&error_code=${code}&error_description=No`)
    expect(await openArrival(partsOf(tab), arrival)).toMatchObject({ step: 'failed', why })
  })

  it.each(['error_code=P0001', 'error_code=', 'error=P0001', 'error_code=%20', 'x=1', 'error_code=42501', 'error_code=Call+us', 'error_code=__proto__'])('never says in its own name what a stranger wrote into the address: %s', async (code) => {
    const { tab } = await openTab()
    const state = await openArrival(partsOf(tab), readArrival(`http://127.0.0.1:54321/callback?${code}&error_description=Your+account+is+locked.+Call+0900+666.`))
    if (state.step !== 'failed') throw new Error(state.step)
    const { title, whatToDo } = explain(state.error, english)
    expect(`${title} ${whatToDo}`).not.toContain('0900')
  })
})
