import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { openCaptchaProvider, type CaptchaProvider, type Mood } from './captcha-provider.ts'
import { keepEvidence } from './evidence.ts'
import { people } from './people.ts'
import { codeIn, newestMail, openBox, openBrowser, openWindow, watchForFaults, type Box } from './stage.ts'

let provider: CaptchaProvider
let browser: Browser
beforeAll(async () => {
  ;[provider, browser] = await Promise.all([openCaptchaProvider(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await provider?.close()
})

/** A box that demands what this provider's widget gives. */
const openGuarded = (name: 'hcaptcha' | 'turnstile') =>
  openBox(async (project) => {
    const file = join(project, 'supabase/config.toml')
    const toml = (await readFile(file, 'utf8'))
      .replace('[auth.email]', `[auth.captcha]\nenabled = true\nprovider = "${name}"\nsecret = "the captcha secret"\n\n[auth.sms]\nenable_signup = true\nenable_confirmations = true\n\n[auth.email]`)
      .replace('minimum_password_length', 'enable_anonymous_sign_ins = true\nminimum_password_length')
    await writeFile(file, toml)
    await writeFile(join(project, 'supabase/.env'), `PORTICO_CAPTCHA_URL=${provider.verifyUrl}\n`)
    await writeFile(join(project, 'portico.json'), JSON.stringify({ door: { captcha: { provider: name, siteKey: 'site-1', script: `${provider.script}${name}.js` } } }))
  })

let box: Box
let window: BrowserContext
let page: Page
let faults: string[]
beforeEach(async () => {
  window = await openWindow(browser, box.status.APP_URL)
  page = await window.newPage()
  faults = watchForFaults(page)
  provider.asked = []
  provider.brokenWith = undefined
})
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') await keepEvidence(task, browser)
  expect(faults).toEqual([])
  await window.close()
})

let count = 0
const newAddress = () => `captcha-${Date.now()}-${++count}@mail.example`
const isIn = () => page.waitForURL((url) => url.pathname.startsWith('/data'))
const mood = (now: Mood) => page.evaluate((given) => Object.assign(globalThis, { captchaMood: given }), now)
const tokens = () => provider.asked.map((form) => form['response'] ?? '')

/** Up to the password, which is typed. */
async function givePassword(password = people.agent.password) {
  await page.goto('/sign-in')
  await page.getByLabel('E-mail address').fill(people.agent.email)
  await page.keyboard.press('Enter')
  await page.getByLabel('Password', { exact: true }).fill(password)
}
const submit = () => page.getByRole('button', { name: 'Sign in', exact: true }).click()

describe('hCaptcha', () => {
  beforeAll(async () => {
    box = await openGuarded('hcaptcha')
  })
  afterAll(async () => {
    await box?.close()
  })

  test('is loaded only when something is asked of the server, and each call has a token of its own', async () => {
    const loaded: string[] = []
    page.on('request', (request) => request.url().startsWith(provider.origin) && loaded.push(new URL(request.url()).pathname))
    await givePassword('not it')
    expect(loaded).toEqual([])
    await submit()
    await page.getByText('The e-mail address or the password is not right').waitFor()
    await page.getByLabel('Password', { exact: true }).fill(people.agent.password)
    await submit()
    await isIn()
    expect(loaded).toEqual(['/hcaptcha.js'])
    expect(new Set(tokens()).size).toBe(2)
    for (const form of provider.asked) expect(form).toMatchObject({ secret: 'the captcha secret', response: expect.stringMatching(/^solved-hcaptcha-/), remoteip: '127.0.0.1' })
  })

  test('guards signing up, a mailed link, a new password, a texted code, and guests', async () => {
    const email = newAddress()
    await page.goto('/sign-up')
    await page.getByLabel('E-mail address').fill(email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Password', { exact: true }).fill('four plain words 4')
    await page.keyboard.press('Enter')
    // The code itself proves who one is: no captcha for it.
    await page.getByLabel('Code from the mail').fill(codeIn(await newestMail(box.status, email)))
    await isIn()
    expect(tokens()).toHaveLength(1)

    await window.clearCookies()
    await page.goto('/sign-in')
    await page.getByLabel('E-mail address').fill(people.customer.email)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'E-mail me a link or code' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    expect(tokens()).toHaveLength(2)

    await page.goto('/forgot-password')
    await page.getByLabel('E-mail address').fill(people.owner.email)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    expect(tokens()).toHaveLength(3)

    await page.goto('/sign-in?step=phone')
    await page.getByLabel('Phone number').fill('+491711234567')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Check your phone' }).waitFor()
    expect(tokens()).toHaveLength(4)

    await page.goto('/sign-in')
    await page.getByRole('button', { name: 'Look around as a guest' }).click()
    await isIn()
    expect(new Set(tokens()).size).toBe(5)
  })

  test.each([
    ['expires', 'The check whether you are a person was not finished'],
    ['closes', 'The check whether you are a person was not finished'],
    ['fails', 'The check whether you are a person did not load'],
    ['guesses', 'We could not make sure that you are a person'],
  ] as const)('that %s is told in words, and the same button tries anew', async (how, words) => {
    await givePassword('not it')
    await submit()
    await page.getByText('The e-mail address or the password is not right').waitFor()
    await mood(how)
    await page.getByLabel('Password', { exact: true }).fill(people.agent.password)
    await submit()
    await page.getByText(words).waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(people.agent.password)
    await mood('solves')
    await submit()
    await isIn()
    expect(new Set(tokens()).size).toBe(tokens().length)
  })

  test('that has a question asks it on the page, where a keyboard reaches it, in the page’s light and language', async () => {
    await window.close()
    window = await openWindow(browser, box.status.APP_URL, { width: 320, height: 640 })
    page = await window.newPage()
    faults = watchForFaults(page)
    await page.addInitScript(() => Object.assign(globalThis, { captchaMood: 'asks' }))
    await givePassword()
    await page.keyboard.press('Enter')
    const question = page.getByRole('button', { name: 'I am a person' })
    await question.waitFor()
    expect(await page.getByRole('button', { name: 'Sign in', exact: true }).getAttribute('aria-busy')).toBe('true')
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
    expect(await page.evaluate(() => (globalThis as unknown as { captchaSeen: unknown[] }).captchaSeen)).toEqual([{ sitekey: 'site-1', theme: 'light', language: 'en' }])
    await question.focus()
    await page.keyboard.press('Enter')
    await isIn()
  })

  test('whose script is blocked says so; other ways stay open, and it works once it is let through', async () => {
    await page.route(`${provider.origin}/**`, (route) => route.abort())
    await givePassword()
    await submit()
    await page.getByText('The check whether you are a person did not load').waitFor()
    await page.getByText('Something in this browser or network may block it').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('link', { name: /^Change/ }).click()
    await page.getByRole('button', { name: /local identity/ }).waitFor()
    await page.getByRole('button', { name: 'Look around as a guest' }).click()
    await page.getByText('The check whether you are a person did not load').waitFor()
    await page.unroute(`${provider.origin}/**`)
    await page.getByRole('button', { name: 'Look around as a guest' }).click()
    await isIn()
  })

  test('lets nobody pass while its provider cannot be asked, and says that the server failed', async () => {
    provider.brokenWith = 503
    await givePassword()
    await submit()
    await page.getByText('The server failed').waitFor()
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe(people.agent.password)
    provider.brokenWith = undefined
    await submit()
    await isIn()
  })

  test('is the only foreign script the page’s policy lets in', async () => {
    const policy = (await page.goto('/sign-in'))?.headers()['content-security-policy'] ?? ''
    expect(policy).toContain(`script-src 'self' ${provider.origin};`)
    expect(policy).toContain(`frame-src blob: ${provider.origin};`)
    expect(policy).not.toContain('unsafe')
    const outcome = await page.evaluate(
      () =>
        new Promise((resolve) => {
          document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective))
          const script = document.createElement('script')
          script.src = 'http://127.0.0.1:9/evil.js'
          document.head.append(script)
        }),
    )
    expect(outcome).toBe('script-src-elem')
    // The refusal is the point here.
    faults = faults.filter((fault) => !fault.includes('evil.js'))
  })
})

describe('Turnstile', () => {
  beforeAll(async () => {
    box = await openGuarded('turnstile')
  })
  afterAll(async () => {
    await box?.close()
  })

  test('signs a person in, asks on the page where it must, and can be tried again', async () => {
    await page.addInitScript(() => Object.assign(globalThis, { captchaMood: 'asks' }))
    await givePassword()
    await submit()
    await page.getByRole('button', { name: 'I am a person' }).waitFor()
    await page.reload()
    await givePassword()
    await mood('expires')
    await submit()
    await page.getByText('The check whether you are a person was not finished').waitFor()
    expect(provider.asked).toEqual([])
    await mood('solves')
    await submit()
    await isIn()
    expect(tokens()).toEqual([expect.stringMatching(/^solved-turnstile-/)])
  })
})
