import { readFile, writeFile } from 'node:fs/promises'
import { createHmac } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { people, signIn } from './people.ts'
import { box, codeIn, desktop, freePort, linkIn, newestMail, openPage, page, setStage, window } from './stage.ts'

const port = await freePort()
/** Passkeys know names, not numbers: the app is opened at this one. */
const appUrl = `http://localhost:${port}`

setStage({
  port,
  async prepare(project) {
    const file = join(project, 'supabase/config.toml')
    const webauthn = `[auth.webauthn]\nrp_display_name = "Helpdesk"\nrp_id = "localhost"\nrp_origins = ["${appUrl}"]\n\n[auth.passkey]`
    const toml = (await readFile(file, 'utf8')).replace('[auth.passkey]', webauthn)
    await writeFile(file, toml)
  },
})
let count = 0
const newAddress = () => `arrival-${Date.now()}-${++count}@mail.example`
const password = 'four plain words here'

/** The project's own API, as an operator or a person of it. */
async function ask<T>(path: string, body: unknown, token?: string): Promise<T> {
  const key = token === 'operator' ? box.status.SECRET_KEY : box.status.PUBLISHABLE_KEY
  const bearer = token === undefined || token === 'operator' ? {} : { authorization: `Bearer ${token}` }
  const answer = await fetch(`${box.status.API_URL}/auth/v1${path}`, { method: path.startsWith('/user') ? 'PUT' : 'POST', headers: { apikey: key, 'content-type': 'application/json', ...bearer }, body: JSON.stringify(body) })
  expect([path, answer.status < 300, answer.ok ? '' : await answer.clone().text()]).toEqual([path, true, ''])
  return (await answer.json()) as T
}
const createPerson = async () => {
  const email = newAddress()
  await ask('/admin/users', { email, password, email_confirm: true }, 'operator')
  return { email, ...(await ask<{ access_token: string }>('/token?grant_type=password', { email, password })) }
}

/** RFC 6238 as authenticator apps do it. */
function totp(secret: string): string {
  const bits = [...secret].map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0')).join('')
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)))
  const mac = createHmac('sha1', key).update(counter).digest()
  return String((mac.readUInt32BE((mac.at(-1) ?? 0) & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

describe('an invitation', () => {
  test('leads, after its button, to a name and a password, and from there inside', async () => {
    const email = newAddress()
    await ask(`/invite?redirect_to=${encodeURIComponent(`${box.status.APP_URL}/callback`)}`, { email }, 'operator')
    await page.goto(linkIn(await newestMail(box.status, email), box.status.APP_URL))
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    // Whose it is has to be said first, in a browser that waited for nobody.
    const yes = page.getByRole('button', { name: 'Yes, sign in' })
    await yes.or(page.getByLabel('Your name')).first().waitFor()
    if (await yes.isVisible()) await yes.click()
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.reload()
    await page.getByRole('heading', { name: 'Welcome to Helpdesk' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Save and go on' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
    const { user } = await ask<{ user: { user_metadata: object } }>('/token?grant_type=password', { email, password })
    expect(user.user_metadata).toMatchObject({ full_name: 'Ada Lovelace' })
  })
})

describe('a new address', () => {
  test('is half confirmed by the first mail and in force with the second, and each page says which', async () => {
    const person = await createPerson()
    const next = newAddress()
    await signIn(page, { email: person.email, password }, '/account')
    const asked = Date.now()
    await ask(`/user?redirect_to=${encodeURIComponent(`${box.status.APP_URL}/callback`)}`, { email: next }, person.access_token)
    await page.goto(linkIn(await newestMail(box.status, person.email, asked - 1000), box.status.APP_URL))
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await page.getByRole('heading', { name: 'One more confirmation' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.goto(linkIn(await newestMail(box.status, next, asked - 1000), box.status.APP_URL))
    await page.getByRole('button', { name: 'Confirm address' }).click()
    await page.getByRole('heading', { name: 'Your new address is in force' }).waitFor()
    await page.getByText(`You now sign in with ${next}.`).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'To your account' }).click()
    await page.getByText(next).first().waitFor()
  })
})

describe('a forgotten password', () => {
  test('of somebody with a second factor is replaced once that factor is shown', async () => {
    const { email, access_token: token } = await createPerson()
    const factor = await ask<{ id: string; totp: { secret: string } }>('/factors', { factor_type: 'totp', friendly_name: 'Phone' }, token)
    const challenge = await ask<{ id: string }>(`/factors/${factor.id}/challenge`, {}, token)
    await ask(`/factors/${factor.id}/verify`, { challenge_id: challenge.id, code: totp(factor.totp.secret) }, token)
    const shown = totp(factor.totp.secret)

    await page.goto('/forgot-password')
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Send the mail' }).click()
    await page.getByLabel('Code from the mail').fill(codeIn(await newestMail(box.status, email)))
    await page.waitForURL(/\/second-factor/)
    // Each code counts once: the app's next one is waited for.
    while (totp(factor.totp.secret) === shown) await page.waitForTimeout(500)
    await page.getByRole('textbox').first().fill(totp(factor.totp.secret))
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await page.getByLabel('New password').fill('another four plain words')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
    await ask('/token?grant_type=password', { email, password: 'another four plain words' })
  })
})

describe('a passkey', () => {
  test('signs a person in by the button and from the address field; turned down, it says so', async () => {
    await openPage(desktop, appUrl)
    const { email } = await createPerson()
    const devtools = await window.newCDPSession(page)
    await devtools.send('WebAuthn.enable')
    const options = { protocol: 'ctap2' as const, transport: 'internal' as const, hasResidentKey: true, hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: false }
    const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', { options })
    const touch = (enabled: boolean) => devtools.send('WebAuthn.setAutomaticPresenceSimulation', { authenticatorId, enabled })
    await signIn(page, { email, password }, '/account/security')

    // The passkey is made by the words the account's own page uses; here the wire is enough.
    await touch(true)
    const made = await page.evaluate(async ({ url, key }) => {
      const cookie = document.cookie.split('; ').find((pair) => /auth-token=/.test(pair))?.split('=')[1] ?? ''
      const text = (part: string) => atob(part.replaceAll('-', '+').replaceAll('_', '/'))
      const token = String((JSON.parse(text(decodeURIComponent(cookie).slice(7))) as Record<string, unknown>)['access_token'])
      const call = async (path: string, body: unknown) =>
        (await fetch(`${url}/auth/v1/passkeys/registration/${path}`, { method: 'POST', headers: { apikey: key, authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: JSON.stringify(body) })).json()
      const started = (await call('options', {})) as { challenge_id: string; options: PublicKeyCredentialCreationOptionsJSON }
      const credential = (await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(started.options) })) as PublicKeyCredential
      return (await call('verify', { challenge_id: started.challenge_id, credential: credential.toJSON() })) as object
    }, { url: appUrl, key: box.status.PUBLISHABLE_KEY })
    expect(made).toMatchObject({ friendly_name: expect.any(String) as string })

    await window.clearCookies()
    await touch(false)
    await page.goto('/sign-in')
    const button = page.getByRole('button', { name: 'Sign in with a passkey' })
    await button.waitFor()
    expect(await page.getByLabel('E-mail address').getAttribute('autocomplete')).toBe('username webauthn')
    expect(await axeViolations(page)).toEqual([])
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
    await touch(true)
    await button.click()
    await page.getByText('No passkey was used').or(page.getByRole('alert')).first().waitFor()
    await devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true })
    // The offer in the field may be quicker than the hand on the button: both lead in.
    const isIn = page.waitForURL((url) => url.pathname.startsWith('/data'))
    await Promise.race([button.click(), isIn])
    await isIn
    await touch(false)
    await window.clearCookies()
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Sign in with a passkey Last used' }).waitFor()
  })

  test('is not offered at an address it does not belong to', async () => {
    await page.goto('/sign-in')
    await page.getByLabel('E-mail address').waitFor()
    await page.getByRole('button', { name: 'Continue with local identity' }).waitFor()
    expect(await page.getByRole('button', { name: /passkey/ }).count()).toBe(0)
    await signIn(page, people.agent)
  })
})
