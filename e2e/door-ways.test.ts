import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { people } from './people.ts'
import { box, codeIn, desktop, newestMail, openPage, page, phone, setStage, window } from './stage.ts'

/** What the operator of these journeys says of the door. */
const settings = {
  brand: { links: { terms: 'https://example.com/terms', privacy: '/privacy' } },
  door: {
    rememberMe: true,
    wallets: ['ethereum'],
    sso: true,
    signUp: {
      agree: true,
      fields: [
        { key: 'company', label: { en: 'Company', de: 'Firma' }, required: true },
        { key: 'seats', label: 'Seats', kind: 'number' },
        { key: 'size', label: 'Team size', kind: 'choice', choices: ['small', 'large'] },
      ],
    },
  },
}

setStage({
  async prepare(project) {
    const file = join(project, 'supabase/config.toml')
    const toml = (await readFile(file, 'utf8'))
      .replace('minimum_password_length = 8', 'minimum_password_length = 8\npassword_requirements = "letters_digits"\nenable_anonymous_sign_ins = true')
      .replace('[auth.email]', '[auth.sms]\nenable_signup = true\nenable_confirmations = true\n\n[auth.web3.ethereum]\nenabled = true\n\n[auth.email]')
    await writeFile(file, toml)
    await writeFile(join(project, 'portico.json'), JSON.stringify(settings))
  },
})

let count = 0
const newAddress = () => `ways-${Date.now()}-${++count}@mail.example`
const isIn = () => page.waitForURL((url) => url.pathname.startsWith('/data'))
const claims = (): Promise<Record<string, unknown>> =>
  page.evaluate(() => {
    const value = document.cookie.split('; ').find((pair) => /auth-token(\.0)?=/.test(pair))?.split('=')[1] ?? ''
    const part = (text: string) => JSON.parse(atob(text.replaceAll('-', '+').replaceAll('_', '/'))) as Record<string, unknown>
    return part(String(part(decodeURIComponent(value).slice('base64-'.length))['access_token']).split('.')[1] ?? '')
  })
/** The operator's file with something else in it, for this window. */
const withDoor = (door: Record<string, unknown>) =>
  window.route('**/portico.json', async (route) => {
    const own = (await (await route.fetch()).json()) as { door: object }
    await route.fulfill({ json: { ...own, door: { ...own.door, ...door } } })
  })

describe('a phone', () => {
  test.each([['desktop', desktop], ['phone', phone]] as const)('signs a person in on a %s: a number as one dials it, and the code from the message', async (_name, viewport) => {
    await openPage(viewport)
    await withDoor({ signUp: {} })
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Continue with your phone' }).click()
    await page.getByLabel('Country').selectOption('DE')
    await page.getByLabel('Phone number').fill('12')
    await page.getByRole('button', { name: 'Send the code' }).click()
    await page.getByText('This is not a whole phone number').waitFor()
    expect(await axeViolations(page)).toEqual([])
    const subscriber = `171${String(Date.now()).slice(-7)}`
    await page.getByLabel('Phone number').fill(`0${subscriber}`)
    await page.getByText(`The code goes to +49${subscriber}.`).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Check your phone' }).waitFor()
    expect(page.url()).not.toContain(subscriber)
    expect(await axeViolations(page)).toEqual([])
    const { messages } = (await (await fetch(`${box.status.MAILBOX_URL}/phone/api/v1/messages?to=49${subscriber}`)).json()) as { messages: Record<string, unknown>[] }
    await page.getByLabel('Code from the message').fill('000000')
    await page.getByText('This code is wrong or too old').waitFor()
    expect(await page.getByRole('button', { name: /^Send again in/ }).isDisabled()).toBe(true)
    await page.getByLabel('Code from the message').fill(/\b(\d{6})\b/.exec(JSON.stringify(messages[0]))?.[1] ?? '')
    await isIn()
    expect(await claims()).toMatchObject({ phone: `49${subscriber}` })
  })
})

describe('a provider', () => {
  test('signs a person in by way of its own page, is marked as used last, and a refusal there is explained', async () => {
    const leave = async () => {
      await page.goto('/sign-in?to=/account')
      await page.getByRole('button', { name: /local identity/ }).click()
      await page.getByRole('heading', { name: 'Continue to' }).waitFor()
    }
    await leave()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'The sign-in was cancelled' }).waitFor()
    expect(page.url()).not.toContain('error')
    await leave()
    await page.getByLabel('E-mail address').fill(newAddress())
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.waitForURL(/\/account/)
    expect(await claims()).toMatchObject({ app_metadata: { provider: 'local' } })
    await window.clearCookies()
    await page.goto('/sign-in')
    await page.getByRole('button', { name: /local identity.*Last used/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])
  })
})

describe('an organisation', () => {
  test('that nobody knows is named, and the address stays', async () => {
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Continue with your organisation' }).click()
    await page.getByLabel('Work address').fill('ada@unknown.example')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    expect(await page.getByLabel('Work address').inputValue()).toBe('ada@unknown.example')
    expect(await axeViolations(page)).toEqual([])
  })
})

describe('a wallet', () => {
  const key = secp256k1.utils.randomSecretKey()
  const address = `0x${Buffer.from(keccak_256(secp256k1.getPublicKey(key, false).slice(1)).slice(-20)).toString('hex')}`
  const sign = (hexMessage: string) => {
    const message = Buffer.from(hexMessage.slice(2), 'hex')
    const hash = keccak_256(Buffer.concat([Buffer.from(`\x19Ethereum Signed Message:\n${message.length}`), message]))
    const signature = secp256k1.sign(hash, key, { prehash: false, format: 'recovered' })
    return `0x${Buffer.from(signature.slice(1)).toString('hex')}${(27 + (signature[0] ?? 0)).toString(16)}`
  }

  test('is offered where there is one, by the name it gives itself, and signs a person in', async () => {
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Continue with your phone' }).waitFor()
    expect(await page.getByRole('button', { name: /wallet/i }).count()).toBe(0)

    let refuses = true
    await page.exposeFunction('askWallet', (method: string, parameters: string[]) => {
      if (method === 'personal_sign' && refuses) return Promise.reject(new Error('User rejected the request.'))
      return { eth_requestAccounts: [address], eth_chainId: '0x1', personal_sign: method === 'personal_sign' ? sign(parameters[0] ?? '') : '' }[method]
    })
    await page.addInitScript(() => {
      const ask = (globalThis as unknown as { askWallet: (method: string, parameters?: unknown) => Promise<unknown> }).askWallet
      const ethereum = { request: ({ method, params }: { method: string; params?: unknown }) => ask(method, params ?? []), on: () => {}, removeListener: () => {} }
      Object.assign(globalThis, { ethereum })
      const announce = () => dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: { info: { uuid: 'u1', name: 'Test Wallet', icon: 'javascript:alert(1)', rdns: 'test' }, provider: ethereum } }))
      addEventListener('eip6963:requestProvider', announce)
    })
    await page.reload()
    await page.getByRole('button', { name: 'Continue with Test Wallet' }).click()
    await page.getByText('The wallet did not sign').waitFor()
    refuses = false
    await page.getByRole('button', { name: 'Continue with Test Wallet' }).click()
    await isIn()
    expect(await claims()).toMatchObject({ app_metadata: { provider: 'web3' } })
  })
})

describe('a guest', () => {
  test('comes in without an account, is told what is at stake, and keeps everything by saving one', async () => {
    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Look around as a guest' }).click()
    await isIn()
    const guest = await claims()
    expect(guest).toMatchObject({ is_anonymous: true })
    await page.getByText('You are here as a guest.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'Save your account' }).click()

    await page.getByLabel('E-mail address').fill(people.agent.email)
    await page.getByLabel('New password').fill('four plain words 4')
    await page.getByRole('button', { name: 'Save account' }).click()
    await page.getByText('Fill in “Company”.').waitFor()
    await page.getByLabel('Company').fill('Harbor')
    await page.getByLabel(/^I agree to the/).check()
    await page.getByRole('button', { name: 'Save account' }).click()
    await page.getByText('There is already an account with this address').waitFor()
    expect(await axeViolations(page)).toEqual([])
    const email = newAddress()
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Save account' }).click()
    await page.getByRole('heading', { name: 'Confirm your address' }).waitFor()
    await page.reload()
    await page.getByLabel('Code from the mail').fill(codeIn(await newestMail(box.status, email)))
    await isIn()
    await expect.poll(async () => (await claims())['is_anonymous']).toBe(false)
    expect(await claims()).toMatchObject({ sub: guest['sub'], email })
    expect(await page.getByText('You are here as a guest.').count()).toBe(0)
  })
})

describe('staying signed in', () => {
  test.each([[true], [false]])('is the person’s choice (%s), kept through a renewal and in another tab', async (stays) => {
    await page.goto('/sign-in?to=/account')
    await page.getByLabel('Stay signed in').setChecked(stays)
    await page.getByLabel('E-mail address').fill(people.agent.email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Password', { exact: true }).fill(people.agent.password)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/account/)
    const lives = async () => (await window.cookies()).filter(({ name }) => /auth-token(\.\d)?$/.test(name)).map(({ expires }) => (expires === -1 ? 'session' : 'lasting'))
    expect(new Set(await lives())).toEqual(new Set([stays ? 'lasting' : 'session']))
    // Another tab finds an old token, and renews it.
    const other = await window.newPage()
    await other.addInitScript(() => {
      const real = Date.now
      Date.now = () => real() + 3_590_000
    })
    const renewed = other.waitForResponse((answer) => answer.url().includes('grant_type=refresh_token'))
    await other.goto('/account')
    await renewed
    await other.getByText(people.agent.email).first().waitFor()
    expect(new Set(await lives())).toEqual(new Set([stays ? 'lasting' : 'session']))
  })
})

describe('signing up', () => {
  test('asks what the operator wants, shows the rules for passwords, and keeps the answers', async () => {
    const email = newAddress()
    await page.goto('/sign-up')
    await page.getByLabel('E-mail address').fill(email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Password', { exact: true }).fill('four words')
    await expect.poll(() => page.getByRole('listitem').allTextContents()).toEqual(['At least 8 charactersmet', 'A lettermet', 'A digitnot met yet'])
    await page.getByLabel('Password', { exact: true }).fill('four plain words 4')
    await page.getByText('Strength: strong').waitFor()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Fill in “Company”.').waitFor()
    await page.getByText('An account needs your agreement.').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Company').fill(' Analytical Engines ')
    await page.getByLabel('Seats').fill('twelve')
    await page.getByLabel('Team size').selectOption('small')
    await page.getByRole('checkbox', { name: /I agree/ }).check()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Enter a number.').waitFor()
    await page.getByLabel('Seats').fill('12')
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByLabel('Code from the mail').fill(codeIn(await newestMail(box.status, email)))
    await isIn()
    const { user_metadata: data } = (await claims()) as { user_metadata: Record<string, unknown> }
    expect(data).toMatchObject({ company: 'Analytical Engines', seats: 12, size: 'small' })
    expect(Date.parse(String(data['terms_agreed_at']))).toBeGreaterThan(Date.now() - 120_000)
  })

  test('says in the operator’s words that it is closed, and where to ask', async () => {
    await withDoor({ signUp: { closedText: { en: 'Ask the harbour master.' }, closedContact: 'mailto:harbour@example.com' } })
    await page.route('**/auth/v1/settings', async (route) => route.fulfill({ json: { ...(await (await route.fetch()).json()), disable_signup: true } }))
    await page.goto('/sign-in')
    await page.getByRole('link', { name: 'How to get one' }).click()
    await page.getByText('Ask the harbour master.').waitFor()
    expect(await page.getByRole('link', { name: 'Ask for an account' }).getAttribute('href')).toBe('mailto:harbour@example.com')
    expect(await axeViolations(page)).toEqual([])
  })
})

describe('address and password at once', () => {
  test('sign in on one page, by keyboard alone', async () => {
    await withDoor({ identifierFirst: false })
    await page.goto('/sign-in')
    await page.getByLabel('E-mail address').waitFor()
    await page.keyboard.type(people.agent.email)
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.type('not it')
    await page.keyboard.press('Enter')
    await page.getByText('The e-mail address or the password is not right').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Password', { exact: true }).fill(people.agent.password)
    await page.keyboard.press('Enter')
    await isIn()
  })
})

describe('a captcha', () => {
  // Stands in for hCaptcha: the same words, solved at once.
  const widget = `window.hcaptcha = { n: 0, made: new Map(),
    render(place, options) { const id = String(++this.n); this.made.set(id, options); return id },
    execute(id) { const { callback, 'error-callback': fail } = this.made.get(id); setTimeout(() => window.failCaptcha ? fail('network-error') : callback('token-' + id), 20) },
    remove() {} }`

  test('is loaded only when it is needed, solved anew for each call, and its failure is explained', async () => {
    await withDoor({ captcha: { provider: 'hcaptcha', siteKey: 'site-1', script: '/captcha/api.js' } })
    await window.route('**/captcha/api.js', (route) => route.fulfill({ contentType: 'text/javascript', body: widget }))
    const asked: string[] = []
    page.on('request', (request) => request.url().endsWith('/captcha/api.js') && asked.push(request.url()))
    const tokens: unknown[] = []
    await page.route('**/auth/v1/token?grant_type=password', async (route) => {
      const { gotrue_meta_security: security } = route.request().postDataJSON() as { gotrue_meta_security?: { captcha_token?: string } }
      tokens.push(security?.captcha_token)
      await route.continue()
    })
    await page.goto('/sign-in')
    await page.getByLabel('E-mail address').fill(people.agent.email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Password', { exact: true }).fill('not it')
    expect(asked).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('The e-mail address or the password is not right').waitFor()
    await page.evaluate(() => Object.assign(globalThis, { failCaptcha: true }))
    await page.getByLabel('Password', { exact: true }).fill(people.agent.password)
    await page.keyboard.press('Enter')
    await page.getByText('The check whether you are a person did not load').waitFor()
    await page.evaluate(() => Object.assign(globalThis, { failCaptcha: false }))
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await isIn()
    expect(tokens).toEqual(['token-1', 'token-3'])
    expect(asked).toHaveLength(1)
  })
})

describe('looks', () => {
  test('every way is in one window of 320 px, in German, light and dark, and axe finds nothing', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto('/sign-in')
    await page.getByRole('combobox', { name: /language/i }).selectOption('de')
    for (const path of ['/sign-in', '/sign-up', '/sign-in?step=phone', '/sign-in?step=sso']) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.goto(path)
        await page.getByRole('button').first().waitFor()
        await expect.poll(() => page.locator('main [aria-hidden] [style*="40px"]').count()).toBe(0)
        expect([path, await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)]).toEqual([path, 0])
        expect([path, await axeViolations(page)]).toEqual([path, []])
      }
    }
  })
})
