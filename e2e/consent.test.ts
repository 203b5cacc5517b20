import { createHmac } from 'node:crypto'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { openClientApp, type ClientApp } from './oauth-client.ts'
import { people, signIn } from './people.ts'
import { box, browser, desktop, openPage, openWindow, page, phone, setStage, window } from './stage.ts'

setStage({ prepare: (project) => appendFile(join(project, 'supabase/config.toml'), '\n[auth.oauth_server]\nenabled = true\nallow_dynamic_registration = true\n') })
let shop: ClientApp
beforeAll(async () => {
  shop = await openClientApp({ issuer: `${box.status.API_URL}/auth/v1`, name: 'Paper shop' })
})
afterAll(() => shop?.close())


const heading = (name: string | RegExp) => page.getByRole('heading', { name, level: 1 })
const asks = (app = 'Paper shop') => heading(`${app} wants to sign you in with your Helpdesk account`)
const button = (name: string) => page.getByRole('button', { name, exact: true })

/** What the application shows once the person is back. */
async function broughtBack(app = shop): Promise<{ info?: Record<string, unknown>; idToken?: Record<string, unknown>; failed?: string; cause?: string }> {
  await page.waitForURL((url) => url.origin === app.url)
  return JSON.parse((await page.locator('pre').textContent()) ?? '{}') as never
}

async function signInHere({ email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await button('Continue').click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await button('Sign in').click()
}

/** The code an authenticator shows, so many steps of 30 seconds from now. */
function totp(secret: string, steps: number): string {
  const bits = [...secret].map((sign) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const digest = createHmac('sha1', key).update(counter).digest()
  const at = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

async function personWithTotp() {
  const { API_URL, SECRET_KEY, PUBLISHABLE_KEY } = box.status
  const ask = async <T>(path: string, body: object, headers: Record<string, string> = { apikey: PUBLISHABLE_KEY }) => {
    const answer = await fetch(`${API_URL}/auth/v1${path}`, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as T
  }
  const email = `factor-${Date.now()}@mail.example`
  const password = 'four plain words here'
  await ask('/admin/users', { email, password, email_confirm: true }, { apikey: SECRET_KEY })
  const { access_token } = await ask<{ access_token: string }>('/token?grant_type=password', { email, password })
  const own = { apikey: PUBLISHABLE_KEY, authorization: `Bearer ${access_token}` }
  const factor = await ask<{ id: string; totp: { secret: string } }>('/factors', { factor_type: 'totp', friendly_name: 'Phone' }, own)
  const challenge = await ask<{ id: string }>(`/factors/${factor.id}/challenge`, {}, own)
  await ask(`/factors/${factor.id}/verify`, { challenge_id: challenge.id, code: totp(factor.totp.secret, 0) }, own)
  return { email, password, secret: factor.totp.secret }
}

describe('an application asks to sign a person in', () => {
  test.each([['desktop', desktop], ['phone', phone]] as const)('who signs in on the way on a %s, allows it, and is known there; the next time goes straight through', async (_name, viewport) => {
    await openPage(viewport)
    const app = await openClientApp({ issuer: `${box.status.API_URL}/auth/v1`, name: 'Corner café' })
    await page.goto(app.url)
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.waitForURL((url) => url.origin === box.status.APP_URL && url.pathname === '/sign-in')
    await signInHere(people.agent)
    await asks('Corner café').waitFor()
    expect(new URL(page.url()).pathname).toBe('/oauth/consent')
    await page.getByText(new URL(app.url).host, { exact: true }).waitFor()
    await page.getByText(people.agent.email, { exact: true }).waitFor()
    await page.getByText('See your e-mail address').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await button('Allow').click()
    const { info, idToken } = await broughtBack(app)
    expect(info).toMatchObject({ email: people.agent.email, email_verified: true })
    expect(idToken).toMatchObject({ aud: app.clientId, email: people.agent.email })

    await page.getByRole('link', { name: 'Sign in' }).click()
    expect((await broughtBack(app)).info).toMatchObject({ email: people.agent.email })
    // The way back leads past the request, which is over.
    await page.goBack()
    expect(new URL(page.url()).origin).toBe(app.url)
    await app.close()
  })

  test('who says no is taken back with that word', async () => {
    await signIn(page, people.customer)
    await page.goto(`${shop.url}/start`)
    await asks().waitFor()
    await button('Do not allow').click()
    expect(await broughtBack()).toMatchObject({ cause: 'access_denied' })
  })

  test('by keyboard alone', async () => {
    await signIn(page, people.owner)
    await page.goto(`${shop.url}/start`)
    await asks().waitFor()
    for (let presses = 0; presses < 20; presses += 1) {
      await page.keyboard.press('Tab')
      if (await button('Allow').evaluate((element) => element === document.activeElement)) break
    }
    await page.keyboard.press('Enter')
    expect((await broughtBack()).info).toMatchObject({ email: people.owner.email })
  })

  test('who wants another account signs out, starts again there, and is asked which', async () => {
    const app = await openClientApp({ issuer: `${box.status.API_URL}/auth/v1`, name: 'Second shop' })
    await signIn(page, people.customer)
    await page.goto(`${app.url}/start`)
    await asks('Second shop').waitFor()
    await button('Use another account').click()
    await heading('Use another account').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await button(`Stay with ${people.customer.email}`).click()
    await button('Use another account').click()
    await button('Sign out and go back').click()
    expect(await broughtBack(app)).toMatchObject({ cause: 'access_denied' })
    await page.goto(`${app.url}/start`)
    await page.waitForURL((url) => url.pathname === '/sign-in')
    await signInHere(people.agent)
    await asks('Second shop').waitFor()
    await page.getByText(people.agent.email, { exact: true }).waitFor()
    await app.close()
  })

  test('who has a second factor gives it on the way', async () => {
    const { email, password, secret } = await personWithTotp()
    await page.goto(`${shop.url}/start`)
    await page.waitForURL((url) => url.pathname === '/sign-in')
    await signInHere({ email, password })
    await page.waitForURL((url) => url.pathname === '/second-factor')
    // Each code counts once: the next one serves already.
    await page.getByRole('textbox').first().fill(totp(secret, 1))
    await asks().waitFor()
    await button('Allow').click()
    expect((await broughtBack()).info).toMatchObject({ email })
  })

  test('with a name that pretends, the real address is in sight and nothing of the name runs or hides', async () => {
    const app = await openClientApp({ issuer: `${box.status.API_URL}/auth/v1`, name: `Helpdesk\u202e\u200b <img src=x onerror=alert(1)> ${'very '.repeat(40)}long`, logo: 'https://127.0.0.1:1/logo.png' })
    await openPage(phone)
    await signIn(page, people.customer)
    await page.goto(`${app.url}/start`)
    const title = await heading(/^.*Helpdesk <img src=x onerror=alert\(1\)> very/).textContent()
    expect(title).not.toMatch(/[\u202e\u200b]/)
    expect(title!.length).toBeLessThan(120)
    await page.getByText(new URL(app.url).host, { exact: true }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
    await app.close()
  })
})

describe('a request that cannot be answered says why, and what to do', () => {
  const consent = (id: string) => page.goto(`/oauth/consent?authorization_id=${id}`)

  test('unknown, or none', async () => {
    await signIn(page, people.customer)
    await consent('abcdefghijklmnopqrstuvwxyz234567')
    await heading('This request is no longer valid').waitFor()
    await page.getByText(`You are signed in as ${people.customer.email}.`).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.goto('/oauth/consent')
    await heading('There is no request here').waitFor()
    await page.getByRole('link', { name: 'To the start page' }).click()
    await page.waitForURL(/\/data/)
  })

  test("another person's, and one that has been answered in another tab", async () => {
    await signIn(page, people.customer)
    await page.goto(`${shop.url}/start`)
    await asks().waitFor()
    const address = page.url()

    const other = await openWindow(browser, box.status.APP_URL)
    const theirs = await other.newPage()
    await signIn(theirs, people.owner)
    await theirs.goto(address)
    await theirs.getByRole('heading', { name: 'This request is no longer valid' }).waitFor()
    await other.close()

    const second = await window.newPage()
    await second.goto(address)
    await second.getByRole('button', { name: 'Do not allow' }).click()
    await second.waitForURL((url) => url.origin === shop.url)
    await button('Allow').click()
    await heading('This request has been answered').waitFor()
    await page.reload()
    await heading('This request has been answered').waitFor()
  })

  test('the server is away for a moment: it is asked again, and nothing is lost', async () => {
    await signIn(page, people.customer)
    const away = (url: URL) => url.pathname.includes('/oauth/authorizations/')
    await page.route(away, (route) => route.abort())
    await page.goto(`${shop.url}/start`)
    await heading('The server cannot be reached').waitFor()
    await page.unroute(away)
    await button('Try again').click()
    await asks().waitFor()
    await page.route(away, (route) => route.abort())
    await button('Allow').click()
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
    await page.unroute(away)
    await button('Allow').click()
    expect((await broughtBack()).info).toMatchObject({ email: people.customer.email })
  })

  test('an answer that leads elsewhere than was shown is not followed', async () => {
    await signIn(page, people.agent)
    for (const redirect_url of ['javascript:alert(1)', 'https://evil.example/callback?code=1', `${shop.url}/other?code=1`]) {
      await page.route((url) => url.pathname.endsWith('/consent') && url.pathname.includes('/authorizations/'), (route) => route.fulfill({ json: { redirect_url } }))
      await page.goto(`${shop.url}/start`)
      await button('Allow').click()
      await heading('We did not go on').waitFor()
      await page.unrouteAll()
    }
  })

  test('at any other path a project has chosen, the request is found', async () => {
    await signIn(page, people.customer)
    await page.goto('/some/other/path?authorization_id=abcdefghijklmnopqrstuvwxyz234567')
    await heading('This request is no longer valid').waitFor()
    expect(new URL(page.url()).pathname).toBe('/oauth/consent')
  })
})

test('the page stands in no frame, and is there in German', async () => {
  const answer = await fetch(`${box.status.APP_URL}/oauth/consent`)
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect(answer.headers.get('x-frame-options')).toBe('DENY')
  await signIn(page, people.agent)
  await page.goto(`${shop.url}/start`)
  await asks().waitFor()
  await page.getByLabel('Language').selectOption('de')
  await heading('Paper shop möchte Sie mit Ihrem Konto bei Helpdesk anmelden').waitFor()
  await button('Nicht erlauben').waitFor()
})
