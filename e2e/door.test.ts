import { describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { axeViolations } from './axe.ts'
import { people, signIn, signOutHere } from './people.ts'
import { box, browser, codeIn, desktop, forgive, linkIn, newestMail, openPage, openWindow, page, phone, setStage, window } from './stage.ts'

setStage()

let count = 0
const newAddress = () => `visitor-${Date.now()}-${++count}@mail.example`
const password = 'four plain words here'

async function signUp(email: string): Promise<void> {
  await page.goto('/sign-up')
  await page.getByLabel('E-mail address').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
}

describe('the whole way', () => {
  test.each([['desktop', desktop], ['phone', phone]] as const)('on a %s a person signs up, confirms by mail, sees their tables, edits a row and signs out', async (_name, viewport) => {
    await openPage(viewport)
    const email = newAddress()
    await signUp(email)

    const mail = await newestMail(box.status, email)
    await page.goto(linkIn(mail, box.status.APP_URL))
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/callback'))
    expect(page.url()).not.toContain('token_hash')

    await page.goto('/data/public/tickets')
    await page.getByText('Welcome to the helpdesk').first().click()
    if (!new URL(page.url()).pathname.match(/\/data\/public\/tickets\/\d+/)) await page.keyboard.press('Enter')
    await page.waitForURL(/\/data\/public\/tickets\/\d+/)
    await page.getByRole('button', { name: 'Edit', exact: true }).first().click()
    await page.getByRole('textbox', { name: /^Subject/ }).fill('My first ticket, renamed')
    await page.getByRole('button', { name: /^Save/ }).click()
    await page.getByRole('heading', { name: 'My first ticket, renamed' }).waitFor()

    await page.goto('/account/security')
    await signOutHere(page)
    const cookies = await window.cookies()
    expect(cookies.filter((cookie) => /auth-token(\.\d+)?$/.test(cookie.name))).toEqual([])
  })

  test('the typed code of the mail does what its link does', async () => {
    const email = newAddress()
    await signUp(email)
    await page.getByLabel('Code from the mail').fill(codeIn(await newestMail(box.status, email)))
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
  })
})

describe('a code', () => {
  test('longer than six digits is sent once it is whole, and its length is remembered', async () => {
    const email = newAddress()
    await signUp(email)
    const sent: string[] = []
    await page.route('**/auth/v1/verify', async (route) => {
      sent.push((route.request().postDataJSON() as { token: string }).token)
      await route.fulfill({ status: 403, json: { error_code: 'otp_expired', msg: 'Token has expired or is invalid' } })
    })
    // The pause after which a typed code is sent is the page's own time, which stands still while the digits are typed.
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    await page.getByLabel('Code from the mail').pressSequentially('12345678')
    expect(sent).toEqual([])
    await page.clock.runFor(1000)
    await page.clock.resume()
    await page.getByText('This code is wrong or too old').waitFor()
    expect(sent).toEqual(['12345678'])
    expect(await page.getByLabel('Code from the mail').inputValue()).toBe('12345678')

    await page.unroute('**/auth/v1/verify')
    await page.getByLabel('Code from the mail').fill('')
    await page.getByLabel('Code from the mail').pressSequentially(codeIn(await newestMail(box.status, email)))
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
    expect(await page.evaluate(() => Object.entries(localStorage).find(([key]) => key.startsWith('portico.code-length.'))?.[1])).toBe('6')
  })
})

describe('an update of the app', () => {
  // What an old page meets: its files are gone, and the address serves a newer one.
  const replaceApp = (tab: Page, file: string) =>
    tab.route(new RegExp(`/assets/${file}-|/$`), async (route) => {
      const request = route.request()
      if (request.url().includes('/assets/')) return route.fulfill({ status: 404, body: 'Not found' })
      if (request.isNavigationRequest()) return route.continue()
      return route.fulfill({ contentType: 'text/html', body: '<!doctype html><script type="module" src="/assets/index-newer.js"></script>' })
    })

  test('reloads the page once where a file is gone, then says so, and goes on when it is there', async () => {
    await page.goto('/sign-in')
    await page.getByLabel('E-mail address').waitFor()
    await replaceApp(page, 'sign-up')
    let loads = 0
    page.on('load', () => (loads += 1))
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByRole('heading', { name: 'A newer version of this app is there' }).waitFor()
    await page.waitForTimeout(1500)
    expect(loads).toBe(1)
    expect(await axeViolations(page)).toEqual([])
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Reload the page' }).click()
    await page.getByRole('heading', { name: /Create your account/ }).waitFor()
  })

  test('takes nothing from a screen that only lacks its command palette', async () => {
    await signIn(page, people.agent, '/account')
    await page.getByLabel('Name', { exact: true }).waitFor()
    await page.route(/\/assets\/command-palette-/, (route) => route.fulfill({ status: 404, body: 'Not found' }))
    await page.getByLabel('Name', { exact: true }).fill('Half a na')
    await page.keyboard.press('Control+k')
    await page.getByText('This screen could not be loaded').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a na')
    await page.reload()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half a na')
    forgive(/dynamically imported module|Unable to preload CSS/)
  })
})

describe('a slow start', () => {
  test('shows the frame of the workspace to whoever holds a session, and the door\'s mark to others', async () => {
    const holdBack = async (tab: Page) => {
      const released = { go: () => {} }
      const wait = new Promise<void>((resolve) => (released.go = resolve))
      await tab.route(/\/assets\/index-/, async (route) => wait.then(() => route.continue()))
      return released
    }
    const isFramed = () => page.evaluate(() => document.documentElement.hasAttribute('data-inside'))
    const first = await holdBack(page)
    await page.goto('/account', { waitUntil: 'commit' })
    await page.locator('.boot').waitFor()
    expect(await isFramed()).toBe(false)
    first.go()
    await signIn(page, people.agent, '/account')
    await page.unrouteAll()
    const second = await holdBack(page)
    await page.goto('/account', { waitUntil: 'commit' })
    await page.locator('.boot').waitFor()
    expect(await isFramed()).toBe(true)
    second.go()
    await page.getByText(people.agent.email).first().waitFor()
    expect(await isFramed()).toBe(false)
  })
})

describe('mailed links', () => {
  test('a link does nothing until its button is pressed, works in another browser, and says so when it is used up', async () => {
    const email = newAddress()
    await signUp(email)
    const link = linkIn(await newestMail(box.status, email), box.status.APP_URL)
    // A mail scanner fetches the page, and even runs it.
    const scanner = await openWindow(browser, box.status.APP_URL)
    const scanned = await scanner.newPage()
    await scanned.goto(link)
    await scanned.getByRole('button', { name: 'Confirm and sign in' }).waitFor()
    await scanner.close()

    const elsewhere = await openWindow(browser, box.status.APP_URL, phone)
    const other = await elsewhere.newPage()
    await other.goto(link)
    await other.getByRole('button', { name: 'Confirm and sign in' }).click()
    // This browser never asked for the mail: whose link it is, is said before anything is entered.
    await other.getByText(email).first().waitFor()
    await other.getByRole('button', { name: 'Yes, sign in' }).click()
    await other.waitForURL((url) => url.pathname.startsWith('/data'))
    await elsewhere.close()

    await page.goto(link)
    await page.getByRole('button', { name: 'Confirm and sign in' }).click()
    await page.getByText('This link no longer works').waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  test('a forgotten password is replaced by way of the mail', async () => {
    const email = newAddress()
    await signUp(email)
    await page.getByLabel('Code from the mail').fill(codeIn(await newestMail(box.status, email)))
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
    await window.clearCookies()

    const asked = Date.now()
    await page.goto('/forgot-password')
    await page.getByLabel('E-mail address').fill(email)
    await page.getByRole('button', { name: 'Send the mail' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.goto(linkIn(await newestMail(box.status, email, asked - 1000), box.status.APP_URL))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await page.getByLabel('New password').fill('another four plain words')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
    await window.clearCookies()
    await signIn(page, { email, password: 'another four plain words' })
  })

  test('"Send again" waits out the server\'s interval, in every tab and after a reload', async () => {
    const email = newAddress()
    await signUp(email)
    const again = page.getByRole('button', { name: /^Send again in \d+ s/ })
    await again.waitFor()
    expect(await again.isDisabled()).toBe(true)
    await page.reload()
    await page.getByRole('button', { name: /^Send again in \d+ s/ }).waitFor()
  })
})

describe('refusals', () => {
  test('a wrong password is said at the form, and the address stays', async () => {
    await page.goto('/sign-in')
    await page.getByLabel('E-mail address').fill(people.agent.email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByLabel('Password', { exact: true }).fill('not it')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('alert').waitFor()
    expect(await page.getByText(people.agent.email).count()).toBeGreaterThan(0)
    expect(await axeViolations(page)).toEqual([])
  })

  test('nobody is led off the site after signing in', async () => {
    await signIn(page, people.customer, '//evil.example/steal')
    expect(new URL(page.url()).origin).toBe(new URL(box.status.APP_URL).origin)
  })

  test('the page cannot be framed, and allows no inline script', async () => {
    const answer = await fetch(box.status.APP_URL)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
  })
})

describe('by keyboard alone', () => {
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() || document.activeElement?.getAttribute('aria-label') || document.activeElement?.getAttribute('name') || document.activeElement?.tagName)
  const focusedLabel = () => page.evaluate(() => (document.activeElement as HTMLInputElement | null)?.labels?.[0]?.textContent?.trim() ?? document.activeElement?.tagName)
  const tabTo = async (name: RegExp) => {
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab')
      if (name.test((await focused()) ?? '')) return
    }
    throw new Error(`The focus never came to ${name}`)
  }

  test('a person signs up with the code of the mail, forgets the password, and chooses another', async () => {
    const email = newAddress()
    await page.goto('/sign-up')
    await page.getByLabel('E-mail address').waitFor()
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await expect.poll(focusedLabel).toBe('Password')
    await page.keyboard.type('four plain words here')
    await page.keyboard.press('Enter')
    await page.getByLabel('Code from the mail').waitFor()
    await expect.poll(focusedLabel).toBe('Code from the mail')
    await page.keyboard.type(codeIn(await newestMail(box.status, email)))
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
    await window.clearCookies()

    const asked = Date.now()
    await page.goto('/sign-in')
    await page.getByLabel('E-mail address').waitFor()
    await page.keyboard.type(email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Password', { exact: true }).waitFor()
    await tabTo(/^Forgot password/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/forgot-password/)
    await tabTo(/^Send the mail$/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.goto(linkIn(await newestMail(box.status, email, asked - 1000), box.status.APP_URL))
    await page.getByRole('button', { name: 'Continue' }).waitFor()
    await tabTo(/^Continue$/)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await expect.poll(focusedLabel).toBe('New password')
    await page.keyboard.type('another four plain words')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
    expect(await page.evaluate(() => document.cookie)).toContain('auth-token')
  })

  test('a person signs in, is asked before signing out everywhere, and leaves', async () => {
    await page.goto('/sign-in?to=/account')
    await page.getByLabel('E-mail address').waitFor()
    await page.keyboard.type(people.agent.email)
    await page.keyboard.press('Enter')
    await page.getByLabel('Password', { exact: true }).waitFor()
    await page.keyboard.type('not it')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(people.agent.password)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/account$/)
    await page.getByLabel('Name', { exact: true }).waitFor()

    await tabTo(/^Security$/)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/account\/security$/)
    await page.getByRole('heading', { name: 'Where you are signed in' }).waitFor()
    await tabTo(/^Sign out everywhere$/)
    await page.keyboard.press('Enter')
    await page.getByRole('alertdialog').waitFor()
    await expect.poll(focused).toBe('Cancel')
    await page.keyboard.press('Escape')
    await page.getByRole('alertdialog').waitFor({ state: 'detached' })
    await expect.poll(focused).toBe('Sign out everywhere')

    // Each session of the list above has a button of that name too: this session's is the one before.
    await page.keyboard.press('Shift+Tab')
    await expect.poll(focused).toBe('Sign out')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/sign-in$/)
    await page.getByText('You are signed out').waitFor()
  })
})

describe('looks', () => {
  test('nothing is wider than a window of 320 px, in the longest of our languages and with a very long address', async () => {
    await page.setViewportSize({ width: 320, height: 640 })
    const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)
    await page.goto('/sign-in')
    await page.getByRole('combobox', { name: /language/i }).selectOption('de')
    await page.getByRole('button', { name: 'Weiter', exact: true }).waitFor()
    await page.locator('input[name=email]').fill('annegret.schmidt-wolkenstein-zu-hohenlohe@verwaltungsgemeinschaft-oberfranken.example')
    await page.keyboard.press('Enter')
    await page.locator('input[name=password]').waitFor()
    expect(await overflow()).toBe(0)
    for (const path of ['/sign-up', '/forgot-password', '/new-password', '/callback', '/callback?error=x&error_code=otp_expired', '/callback?token_hash=x&type=recovery', '/connect', '/nowhere']) {
      await page.goto(path)
      await page.getByRole('heading').first().waitFor()
      expect([path, await overflow()]).toEqual([path, 0])
    }
  })

  test.each(['/sign-in', '/sign-up', '/forgot-password', '/callback', '/connect', '/nowhere'])('axe finds nothing at %s, on a desktop and on a phone, light and dark', async (path) => {
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.goto(path)
        await page.getByRole('heading').first().waitFor()
        expect(await axeViolations(page)).toEqual([])
      }
    }
  })

  test('every text follows the chosen language, without a reload', async () => {
    await page.goto('/sign-in')
    await page.getByRole('combobox', { name: /language/i }).selectOption('de')
    await page.getByRole('button', { name: 'Weiter', exact: true }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('de')
  })
})
