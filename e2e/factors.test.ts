import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { addPerson, codeOf, plugIn } from './factor-maker.ts'
import { signIn } from './people.ts'
import { box, desktop, linkIn, newestMail, openPage, page, phone, setStage, window } from './stage.ts'

const settings = `
[auth.mfa.phone]
enroll_enabled = true
verify_enabled = true
max_frequency = "1s"

[auth.mfa.web_authn]
enroll_enabled = true
verify_enabled = true
`

/** An IP address is no place for keys: the app is opened by its name. */
const appUrl = () => box.status.APP_URL.replace('127.0.0.1', 'localhost')

setStage({
  prepare: (project) => appendFile(join(project, 'supabase/config.toml'), settings),
  appUrl,
})
/** Each code counts once: the next one is taken from a step that the server accepts as well. */
const takeLater = (secret: string) => codeOf(secret, 1)

const shots = process.env['PORTICO_SHOTS']
async function look(name: string): Promise<void> {
  if (shots === undefined) return
  await mkdir(shots, { recursive: true })
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme })
    await page.waitForTimeout(300)
    await page.screenshot({ path: join(shots, `${name}-${page.viewportSize()?.width}-${scheme}.png`) })
  }
  await page.emulateMedia({ colorScheme: 'light' })
  await page.waitForTimeout(300)
}

async function openSecurity(): Promise<void> {
  await page.goto('/account/security')
  await page.getByRole('heading', { name: 'Two-step sign-in' }).waitFor()
}

/** Adds an authenticator app; gives its key and the recovery codes. */
async function addApp(): Promise<{ secret: string; codes: string[] }> {
  await page.getByRole('button', { name: 'Add authenticator app' }).click()
  await page.getByRole('img', { name: 'Picture to scan with an authenticator app' }).waitFor()
  const secret = (await page.locator('code').first().innerText()).replaceAll(' ', '')
  await look('enrol-app')
  await page.getByLabel('Code from the app').fill(codeOf(secret))
  const list = page.getByRole('list', { name: 'Recovery codes' })
  await list.waitFor()
  const codes = await list.getByRole('listitem').allInnerTexts()
  return { secret, codes }
}

async function keepCodes(): Promise<void> {
  await page.getByLabel('I have saved these codes').check()
  await page.getByRole('button', { name: 'Done' }).click()
  await page.getByText('Your sign-in now has a second step.').waitFor()
}

async function signOut(): Promise<void> {
  await window.clearCookies()
  await page.goto('/sign-in')
}

async function signInTo(person: { email: string; password: string }, to: string): Promise<void> {
  await signIn(page, person, to)
  await page.getByRole('heading', { name: 'One more step' }).waitFor()
}

describe('an authenticator app', () => {
  test('is added, asked for at sign-in, and removed; a recovery code stands in for it', async () => {
    const person = await addPerson()
    await signIn(page, person)
    await openSecurity()
    await look('security-none')
    const { secret, codes } = await addApp()
    expect(codes).toHaveLength(10)
    await look('codes')
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByText('Save the codes first').waitFor()
    await keepCodes()
    await page.getByText('10 of 10 left').waitFor()
    await look('security-one')

    await signOut()
    await signInTo(person, '/account/security')
    await look('challenge')
    expect(await axeViolations(page)).toEqual([])
    await page.getByLabel('Code from the app').fill('000000')
    await page.getByText('This code is not right').waitFor()
    await look('challenge-wrong')
    await page.getByRole('button', { name: 'Recovery code' }).click()
    await page.getByLabel('Recovery code').fill((codes[0] ?? '').toUpperCase())
    await page.keyboard.press('Enter')
    await page.waitForURL(/account\/security/)
    await page.getByText('9 of 10 left').waitFor()

    await signOut()
    await signInTo(person, '/account/security')
    await page.getByLabel('Code from the app').fill(takeLater(secret))
    await page.waitForURL(/account\/security/)
    await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('You sign in with one step only.').waitFor()
    await signOut()
    await signIn(page, person, '/account/security')
    await page.waitForURL(/account\/security/)
  })

  test('stands between a forgotten password and a new one', async () => {
    const person = await addPerson()
    await signIn(page, person)
    await openSecurity()
    const { secret } = await addApp()
    await keepCodes()
    await signOut()
    await page.goto('/forgot-password')
    await page.getByLabel('E-mail address').fill(person.email)
    await page.getByRole('button', { name: 'Send the mail' }).click()
    await page.getByRole('heading', { name: 'Check your mail' }).waitFor()
    await page.goto(linkIn(await newestMail(box.status, person.email), appUrl()))
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('heading', { name: 'One more step' }).waitFor()
    await page.getByLabel('Code from the app').fill(takeLater(secret))
    await page.getByRole('heading', { name: 'Choose a new password' }).waitFor()
    await page.getByLabel('New password').fill('five other plain words here')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.waitForURL(/\/data/)
  })

  test('shown in one tab is shown in all, each at its own place', async () => {
    const person = await addPerson()
    await signIn(page, person)
    await openSecurity()
    const { secret } = await addApp()
    await keepCodes()
    await signOut()
    await signInTo(person, '/account')
    const other = await window.newPage()
    await other.goto('/data/public/tickets')
    await other.getByRole('heading', { name: 'One more step' }).waitFor()
    await page.getByLabel('Code from the app').fill(takeLater(secret))
    await page.waitForURL(/\/account$/)
    await other.waitForURL(/\/data\/public\/tickets$/)
  })

  test('keeps unfinished work while it is asked for, and lets a person leave', async () => {
    const person = await addPerson()
    await signIn(page, person)
    await openSecurity()
    await addApp()
    await keepCodes()
    await signOut()
    await signInTo(person, '/account')
    await page.getByText('I have lost access').click()
    await page.getByText(/Use a recovery code/).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL(/\/sign-in\?to=%2Faccount$/)
  })
})

describe('where the operator asks for a second step', () => {
  test.each([['desktop', desktop], ['phone', phone]] as const)('on a %s nobody comes in without one, and the codes are seen before', async (_name, viewport) => {
    await openPage(viewport)
    await window.route('**/portico.json', async (route) => {
      const settings = (await (await route.fetch()).json()) as { projects: { door?: object }[] }
      const projects = settings.projects.map((project) => ({ ...project, door: { ...project.door, secondFactor: { required: true, kinds: ['totp', 'phone'] } } }))
      await route.fulfill({ json: { ...settings, projects } })
    })
    const person = await addPerson()
    await signIn(page, person, '/data/public/tickets')
    await page.getByRole('heading', { name: 'Set up a second step' }).waitFor()
    await look('required')
    expect(await axeViolations(page)).toEqual([])
    await page.goto('/data/public/tickets')
    await page.getByRole('button', { name: 'Authenticator app' }).click()
    await page.getByRole('img', { name: 'Picture to scan with an authenticator app' }).waitFor()
    await look('required-app')
    // Abandoned, then begun again: what was half done is no obstacle.
    await page.reload()
    await page.getByRole('button', { name: 'Authenticator app' }).click()
    await page.getByRole('img', { name: 'Picture to scan with an authenticator app' }).waitFor()
    const secret = (await page.locator('code').first().innerText()).replaceAll(' ', '')
    await page.getByLabel('Code from the app').fill(codeOf(secret))
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
    await look('required-codes')
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await page.getByLabel('I have saved these codes').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.waitForURL(/\/data\/public\/tickets$/)
  })
})

describe('a key', () => {
  test('is registered as second factor and asked for at sign-in', async () => {
    await plugIn('usb')
    const person = await addPerson()
    await signIn(page, person)
    await openSecurity()
    await page.getByRole('button', { name: 'Add security key' }).click()
    await page.getByLabel('Name').fill('Blue key')
    await look('enrol-key')
    await page.getByRole('button', { name: 'Register key' }).click()
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
    await keepCodes()
    await page.getByText('Blue key').waitFor()
    await signOut()
    await signInTo(person, '/account/security')
    await look('challenge-key')
    await page.getByRole('button', { name: 'Use security key' }).click()
    await page.waitForURL(/account\/security/)
  })

  test('is a passkey that is renamed and removed', async () => {
    await plugIn('internal')
    const person = await addPerson()
    await signIn(page, person)
    await openSecurity()
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText('Your passkey is ready').waitFor()
    await page.getByRole('button', { name: /^Rename / }).click()
    await page.getByLabel('Name', { exact: true }).fill('My laptop')
    await look('passkey-rename')
    await page.keyboard.press('Enter')
    await page.getByText('My laptop').waitFor()
    await look('passkeys')
    expect(await axeViolations(page)).toEqual([])
    // The browser offers no second one for the same device.
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText('This key or device is registered already').waitFor()
    await page.getByRole('button', { name: 'Remove My laptop' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No passkey yet.').waitFor()
  })
})

describe('a phone', () => {
  const newestText = async (to: string): Promise<string> => {
    const phoneUrl = box.status.MAILBOX_URL.replace(/\/$/, '')
    const { messages } = (await fetch(`${phoneUrl}/phone/api/v1/messages?to=${to}`).then((answer) => answer.json())) as { messages: { message: string }[] }
    return /\d{6}/.exec(messages[0]?.message ?? '')?.[0] ?? ''
  }

  test('is added by the code texted to it, and asked for at sign-in on a small screen', async () => {
    await openPage(phone)
    const number = `4915${String(Date.now()).slice(-9)}`
    const person = await addPerson()
    await signIn(page, person)
    await openSecurity()
    await look('security-none')
    await page.getByRole('button', { name: 'Add phone' }).click()
    await page.getByLabel('Phone number').fill('12')
    await page.getByRole('button', { name: 'Text me a code' }).click()
    await page.getByText('Enter the whole number').waitFor()
    await page.getByLabel('Phone number').fill(`+${number}`)
    await page.getByRole('button', { name: 'Text me a code' }).click()
    await page.getByLabel('Code from the text message').waitFor()
    await look('enrol-phone')
    await page.getByLabel('Code from the text message').fill(await newestText(number))
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
    await look('codes')
    await keepCodes()
    await look('security-one')
    expect(await axeViolations(page)).toEqual([])
    await signOut()
    await signInTo(person, '/account/security')
    // The interval between two texts of this project.
    await page.waitForTimeout(1_100)
    await page.getByRole('button', { name: 'Text me a code' }).click()
    await page.getByLabel('Code from the text message').waitFor()
    await look('challenge-phone')
    await page.reload()
    await page.getByLabel('Code from the text message').fill(await newestText(number))
    await page.waitForURL(/account\/security/)
  })
})

describe('before a risky change', () => {
  test('whoever has not shown who they are for ten minutes is asked again, by keyboard alone if they like', async () => {
    const person = await addPerson()
    await signIn(page, person)
    await page.clock.install({ time: Date.now() + 11 * 60_000 })
    await openSecurity()
    await page.getByRole('button', { name: 'Add authenticator app' }).press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Confirm it is you' })
    await dialog.waitFor()
    await look('step-up')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add authenticator app' }).press('Enter')
    await page.getByLabel('Your password').fill('not this one')
    await page.keyboard.press('Enter')
    await page.getByText('This password is not right.').waitFor()
    await page.getByLabel('Your password').fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'Picture to scan with an authenticator app' }).waitFor()
  })
})
