import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { people, signIn, signOutHere } from './people.ts'
import { box, page, setStage, window } from './stage.ts'

setStage()

const sessionCookies = async () => (await window.cookies()).filter((cookie) => /auth-token(\.\d+)?$/.test(cookie.name))
const admin = (path: string, method: string, body?: unknown) =>
  fetch(`${box.status.API_URL}/auth/v1${path}`, {
    method,
    headers: { apikey: box.status.SECRET_KEY, authorization: `Bearer ${box.status.SECRET_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
const userId = async (email: string) => {
  const { users } = (await admin('/admin/users?per_page=200', 'GET').then((answer) => answer.json())) as { users: { id: string; email: string }[] }
  return users.find((user) => user.email === email)?.id ?? ''
}

/** Makes the tab ask for a new session now: the clock jumps past the lifetime of the token. */
async function refreshNow(tab: Page): Promise<number> {
  const answered = tab.waitForResponse((response) => response.url().includes('grant_type=refresh_token'))
  await tab.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  return (await answered).status()
}

describe('two tabs', () => {
  test('that race fifty refreshes both stay signed in', async () => {
    await signIn(page, people.agent, '/account')
    const second = await window.newPage()
    await second.goto('/account')
    await second.getByText(people.agent.email).first().waitFor()
    for (let round = 0; round < 50; round++) {
      // Both find a token that is about to end, in the same cookie, at the same moment.
      await page.clock.setSystemTime(Date.now() + round * 1000 + 3_550_000)
      await second.clock.setSystemTime(Date.now() + round * 1000 + 3_550_000)
      const statuses = await Promise.all([refreshNow(page), refreshNow(second)])
      expect(statuses.every((status) => status === 200)).toBe(true)
      expect((await sessionCookies()).length).toBeGreaterThan(0)
    }
    for (const tab of [page, second]) {
      await tab.reload()
      await tab.getByText(people.agent.email).first().waitFor()
    }
  })

  test('agree at once when one signs out, without a reload', async () => {
    await signIn(page, people.customer, '/account')
    const second = await window.newPage()
    await second.goto('/account/security')
    await signOutHere(second)
    await page.getByText('You were signed out in another tab or window').waitFor()
  })
})

describe('cookies', () => {
  test('a torn session cookie is removed and explained, once, and signing in works again', async () => {
    await signIn(page, people.agent, '/account')
    const [first] = await sessionCookies()
    if (!first) throw new Error('There is no session cookie')
    await window.addCookies([{ ...first, value: `${first.value.slice(0, 60)}%%%` }])
    await page.goto('/account')
    await page.getByText('Your sign-in was damaged in this browser').waitFor()
    expect(await sessionCookies()).toEqual([])
    await signIn(page, people.agent, '/account')
    await page.getByText(people.agent.email).first().waitFor()
  })

  test('a session whose user is thirty kilobytes large works, and stays small in the cookies', async () => {
    const email = `large-${Date.now()}@mail.example`
    await admin('/admin/users', 'POST', { email, password: 'large-person-2026', email_confirm: true, user_metadata: { story: 'x'.repeat(30_000) } })
    await signIn(page, { email, password: 'large-person-2026' }, '/account')
    await page.getByText(email).first().waitFor()
    await page.reload()
    await page.getByText(email).first().waitFor()
  })

  test('the session is in the official format: named by the whole origin, in chunks of at most 3180 characters', async () => {
    await signIn(page, people.agent)
    for (const cookie of await sessionCookies()) {
      expect(cookie.value.length).toBeLessThanOrEqual(3180)
      expect(cookie.sameSite).toBe('Lax')
    }
    expect((await sessionCookies())[0]?.value).toMatch(/^base64-/)
  })
})

describe('sessions that end', () => {
  test('ended by a new password an administrator set: the place is kept, and one is back in it after signing in', async () => {
    await signIn(page, people.agent, '/account/security')
    await admin(`/admin/users/${await userId(people.agent.email)}`, 'PUT', { password: people.agent.password })
    await page.clock.setSystemTime(Date.now() + 3_590_000)
    await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
    await page.waitForURL(/\/sign-in/)
    await page.getByText('You were signed out on another device').or(page.getByText('Your session has ended')).waitFor()
    await page.clock.setSystemTime(Date.now())
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByLabel('Password', { exact: true }).fill(people.agent.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(/\/account\/security$/)
  })

  test('a box that is killed and started again finds everyone still signed in', async () => {
    await signIn(page, people.customer, '/account')
    await box.kill()
    await box.restart()
    await page.reload()
    await page.getByText(people.customer.email).first().waitFor()
  })
})
