import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { addPerson, addTotp, codeOf, plugIn, type Person } from './factor-maker.ts'
import { signIn } from './people.ts'
import { box, codeIn, newestMail, openPage, page, phone, setStage } from './stage.ts'

const settings = `
[auth.mfa.web_authn]
enroll_enabled = true
verify_enabled = true
`

setStage({
  prepare: (project) => appendFile(join(project, 'supabase/config.toml'), settings),
  // An IP address is no place for keys: the app is opened by its name.
  appUrl: () => box.status.APP_URL.replace('127.0.0.1', 'localhost'),
})

const dialog = () => page.getByRole('dialog', { name: 'Confirm it is you' })
const question = () => page.getByRole('alertdialog')

/** The browser's clock goes on from twenty minutes later: every proof is old. Timers go on at their own pace. */
const twentyMinutesLater = () => page.clock.install({ time: Date.now() + 20 * 60_000 })

async function openSecurity(): Promise<void> {
  await page.goto('/account/security')
  await page.getByRole('region', { name: 'Two-step sign-in' }).waitFor()
}

/** Signs in with an authenticator app; the code of the next step is left. */
async function signInWithApp(person: Person, secret: string): Promise<void> {
  await signIn(page, person, '/account/security')
  await page.getByLabel('Code from the app').fill(codeOf(secret))
  await page.waitForURL(/account\/security/)
}

describe('with an authenticator app', () => {
  test('a factor is removed only after its code; a wrong one changes nothing, turning back gives everything back', async () => {
    const person = await addPerson()
    const { secret } = await addTotp(person)
    await signInWithApp(person, secret)
    // A proof of a moment ago is enough.
    await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
    await question().getByRole('button', { name: 'Cancel' }).click()

    await twentyMinutesLater()
    await openSecurity()
    const remove = page.getByRole('button', { name: 'Remove Authenticator app' })
    await remove.press('Enter')
    await dialog().waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await question().count()).toBe(0)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
    await expect.poll(() => remove.evaluate((button) => button === document.activeElement), { timeout: 20_000 }).toBe(true)
    expect(await question().count()).toBe(0)

    await remove.press('Enter')
    await dialog().getByLabel('Code from the app').fill('000000')
    await dialog().getByText('This code is not right').waitFor()
    await dialog().getByLabel('Code from the app').fill(codeOf(secret, 1))
    // What was asked for goes on by itself.
    await question().getByRole('button', { name: 'Remove' }).click()
    await page.getByText('You sign in with one step only.').waitFor()
  })

  test('a limit is counted down, and the code that was typed stays', async () => {
    await openPage(phone)
    const person = await addPerson()
    const { secret } = await addTotp(person)
    await signInWithApp(person, secret)
    await twentyMinutesLater()
    await openSecurity()
    await page.getByRole('button', { name: 'Remove Authenticator app' }).click()
    const body = { code: 'over_request_rate_limit', message: 'For security purposes, you can only request this after 3 seconds.' }
    await page.route('**/factors/*/verify', (route) => route.fulfill({ status: 429, json: body }), { times: 1 })
    await dialog().getByLabel('Code from the app').fill(codeOf(secret, 1))
    await dialog().getByText(/You can try again in \d+ s\./).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await expect.poll(() => dialog().getByRole('button', { name: 'Confirm' }).isEnabled(), { timeout: 20_000 }).toBe(true)
    await dialog().getByRole('button', { name: 'Confirm' }).click()
    await question().waitFor()
  })
})

describe('with a key', () => {
  test('a press is asked for; turned down, it says so and can be pressed again', async () => {
    const { verified } = await plugIn('usb')
    const person = await addPerson()
    await signIn(page, person)
    await openSecurity()
    await page.getByRole('button', { name: 'Add security key' }).click()
    await page.getByLabel('Name').fill('Blue key')
    await page.getByRole('button', { name: 'Register key' }).click()
    await page.getByLabel('I have saved these codes').check()
    await page.getByRole('button', { name: 'Done' }).click()
    await twentyMinutesLater()
    await openSecurity()
    await page.getByRole('button', { name: 'Create new codes' }).click()
    await verified(false)
    await dialog().getByRole('button', { name: 'Use security key' }).click()
    await dialog().getByRole('status').or(dialog().getByRole('alert')).first().waitFor()
    await verified(true)
    await dialog().getByRole('button', { name: 'Use security key' }).click()
    await question().getByRole('button', { name: 'Create new codes' }).click()
    await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
  })
})

describe('without a second factor', () => {
  test('a passkey is asked for first; the passkey is renamed and removed after it', async () => {
    await plugIn('internal')
    const person = await addPerson()
    await signIn(page, person)
    await openSecurity()
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await page.getByText('Your passkey is ready').waitFor()
    await twentyMinutesLater()
    await openSecurity()
    await page.getByRole('region', { name: 'Passkeys' }).getByRole('button', { name: /^Remove / }).click()
    await dialog().getByRole('button', { name: 'Use a passkey' }).click()
    await question().getByRole('button', { name: 'Remove' }).click()
    await page.getByText('No passkey yet.').waitFor()
  })

  test('the password is asked for; a wrong one is said', async () => {
    const person = await addPerson()
    await signIn(page, person)
    await twentyMinutesLater()
    await openSecurity()
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    await dialog().getByLabel('Your password').fill('not this one')
    await page.keyboard.press('Enter')
    await dialog().getByText('This password is not right.').waitFor()
    await dialog().getByLabel('Your password').fill(person.password)
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'Picture to scan with an authenticator app' }).waitFor()
  })

  test('a mailed code does as well; a wrong one is said', async () => {
    const person = await addPerson()
    await signIn(page, person)
    await twentyMinutesLater()
    await openSecurity()
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    await dialog().getByRole('button', { name: 'Mail me a code' }).click()
    const field = dialog().getByLabel('Code from the mail')
    await field.fill('000000')
    await page.keyboard.press('Enter')
    await dialog().getByText('This code is wrong or too old').waitFor()
    await field.fill(codeIn(await newestMail(box.status, person.email)))
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'Picture to scan with an authenticator app' }).waitFor()
  })
})
