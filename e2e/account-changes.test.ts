import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { people, signIn } from './people.ts'
import { codeIn, linkIn, newestMail, openBox, openBrowser, openWindow, phone, watchForFaults, type Box } from './stage.ts'

const migration = `
create function public.age_sessions(person uuid, by interval) returns void language sql security definer set search_path = '' as $$
  update auth.sessions set created_at = created_at - by where user_id = person $$;
create function public.age_email_change(person uuid, by interval) returns void language sql security definer set search_path = '' as $$
  update auth.users set email_change_sent_at = email_change_sent_at - by where id = person $$;
create function public.age_messages(by interval) returns void language sql security definer set search_path = '' as $$
  update auth.users set phone_change_sent_at = phone_change_sent_at - by where phone_change_sent_at is not null $$;
revoke execute on function public.age_sessions, public.age_email_change, public.age_messages from public, anon, authenticated;
grant execute on function public.age_sessions, public.age_email_change, public.age_messages to service_role;
`

let box: Box
let browser: Browser
beforeAll(async () => {
  const prepare = async (project: string) => {
    const file = join(project, 'supabase/config.toml')
    const toml = (await readFile(file, 'utf8'))
      .replace('minimum_password_length = 8', 'minimum_password_length = 8\npassword_requirements = "letters_digits"\nenable_anonymous_sign_ins = true')
      .replace('secure_password_change = false', 'secure_password_change = true')
      .replace('[auth.email]', '[auth.sms]\nenable_signup = true\nenable_confirmations = true\n\n[auth.email]')
    await writeFile(file, toml)
    await writeFile(join(project, 'portico.json'), JSON.stringify({ door: { password: { minLength: 8, classes: ['letters', 'digits'] }, signUp: { agree: true, fields: [{ key: 'company', label: 'Company', required: true }] } } }))
    await writeFile(join(project, 'supabase/migrations/20260901099000_account.sql'), migration)
  }
  ;[box, browser] = await Promise.all([openBox(prepare), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await box?.close()
})

let window: BrowserContext
let page: Page
let faults: string[]
beforeEach(async () => {
  window = await openWindow(browser, box.status.APP_URL)
  page = await window.newPage()
  faults = watchForFaults(page)
})
afterEach(async () => {
  expect(faults).toEqual([])
  await window.close()
})

async function ask<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
  const answer = await fetch(`${box.status.API_URL}${path}`, {
    method,
    headers: { apikey: box.status.SECRET_KEY, authorization: `Bearer ${box.status.SECRET_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return (text === '' ? undefined : JSON.parse(text)) as T
}

let made = 0
const newAddress = (name: string) => `${name}-${Date.now()}-${++made}@people.example`
const newNumber = () => `+4420794${String(Date.now()).slice(-4)}${++made}`
const password = 'three quiet words 3'
async function newPerson(extra: Record<string, unknown> = {}) {
  const email = newAddress('changes')
  const { id } = await ask<{ id: string }>('POST', '/auth/v1/admin/users', { email, password, email_confirm: true, ...extra })
  return { id, email, password }
}
const section = (name: string) => page.getByRole('region', { name, exact: true })

/** The code of the newest message to a number. */
async function texted(number: string): Promise<string> {
  const until = Date.now() + 30_000
  while (Date.now() < until) {
    const { messages } = (await (await fetch(`${box.status.MAILBOX_URL}/phone/api/v1/messages?to=${number.slice(1)}`)).json()) as { messages: unknown[] }
    const code = /\b(\d{6})\b/.exec(JSON.stringify(messages[0] ?? ''))?.[1]
    if (code) return code
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  throw new Error(`No message came for ${number}`)
}

async function comeAsGuest() {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Look around as a guest' }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
}

describe('a new password', () => {
  test('is held to the rules in sight, is not the old one, and ends every other session', async () => {
    const person = await newPerson()
    const elsewhere = await openWindow(browser, box.status.APP_URL, phone)
    await signIn(await elsewhere.newPage(), person, '/account')
    await signIn(page, person, '/account/security')
    const sessions = section('Where you are signed in')
    await sessions.getByRole('button', { name: /^Sign out Chrome/ }).waitFor()
    await section('Password').getByRole('button', { name: 'Change password' }).click()
    const field = section('Password').getByLabel('New password', { exact: true })
    const save = section('Password').getByRole('button', { name: 'Save password' })
    await field.fill('shorter')
    await section('Password').getByText(/^At least 8 characters\s*not met yet$/).waitFor()
    await section('Password').getByText(/^Strength: /).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await save.click()
    await section('Password').getByText(/it is too short/).waitFor()
    await field.fill(password)
    await section('Password').getByText(/^A digit\s*met$/).waitFor()
    await save.click()
    await section('Password').getByText('This is the password you have already.').waitFor()
    expect(await field.inputValue()).toBe(password)
    await field.fill('four quiet words 4')
    await save.click()
    await section('Password').getByText('Your password is changed. Other devices are signed out.').waitFor()
    await expect.poll(() => sessions.getByRole('listitem').count()).toBe(1)
    await section('Security activity').getByText('Changed the password').first().waitFor()
    await elsewhere.close()
  })

  test('after a day takes a code from the mail, which is asked for once', async () => {
    const person = await newPerson()
    await signIn(page, person, '/account/security')
    await ask('POST', '/rest/v1/rpc/age_sessions', { person: person.id, by: '25 hours' })
    const form = section('Password')
    await form.getByRole('button', { name: 'Change password' }).click()
    await form.getByLabel('New password', { exact: true }).fill('four quiet words 4')
    await form.getByRole('button', { name: 'Save password' }).click()
    const code = form.getByLabel('Code from the mail')
    await code.waitFor()
    await form.getByText(`we have sent a code to ${person.email}`).waitFor()
    expect(await form.getByRole('button', { name: /^Send again in/ }).isDisabled()).toBe(true)
    // Closed and begun again within the minute: no second code is sent, the first one serves.
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.getByRole('button', { name: 'Change password' }).click()
    await form.getByLabel('New password', { exact: true }).fill('four quiet words 4')
    await form.getByRole('button', { name: 'Save password' }).click()
    await code.fill('000000')
    await form.getByRole('button', { name: 'Save password' }).click()
    await form.getByText('This code is not right').waitFor()
    await code.fill(codeIn(await newestMail(box.status, person.email)))
    await form.getByRole('button', { name: 'Save password' }).click()
    await form.getByText('Your password is changed.').waitFor()
  })
})

describe('an account with a number alone', () => {
  test('is shown by it, changes its password by a code sent there, and adds an address', async () => {
    const number = newNumber()
    const { id } = await ask<{ id: string }>('POST', '/auth/v1/admin/users', { phone: number, password, phone_confirm: true })
    await page.goto('/sign-in?step=phone&to=%2Faccount%2Fsecurity')
    await page.getByRole('textbox', { name: 'Phone number' }).fill(number)
    await page.getByRole('button', { name: 'Send the code' }).click()
    await page.getByLabel('Code from the message').fill(await texted(number))
    await page.waitForURL(/\/account\/security$/)
    await page.getByRole('main').getByText(number, { exact: true }).waitFor()
    await ask('POST', '/rest/v1/rpc/age_sessions', { person: id, by: '25 hours' })
    const form = section('Password')
    await form.getByRole('button', { name: 'Change password' }).click()
    await form.getByLabel('New password', { exact: true }).fill('four quiet words 4')
    await form.getByRole('button', { name: 'Save password' }).click()
    await form.getByText(`we have sent a code to ${number}`).waitFor()
    const before = await texted(number)
    await form.getByLabel('Code from the message').fill(before)
    await form.getByRole('button', { name: 'Save password' }).click()
    await form.getByText('Your password is changed.').waitFor()

    await page.goto('/account')
    const email = section('E-mail address')
    await email.getByRole('button', { name: 'Add address' }).click()
    const address = newAddress('added')
    await email.getByLabel('New e-mail address').fill(address)
    await email.getByRole('button', { name: 'Send confirmation' }).click()
    await email.getByText(`We have sent a mail to ${address}. Open the link in it.`).waitFor()
    expect(await axeViolations(page)).toEqual([])
    const tab = await window.newPage()
    await tab.goto(linkIn(await newestMail(box.status, address), box.status.APP_URL))
    await tab.getByRole('button', { name: /confirm/i }).click()
    await tab.getByRole('heading', { name: /address/i }).waitFor()
    await page.bringToFront()
    await page.reload()
    await email.getByText(address, { exact: true }).waitFor()
  })
})

describe('a new address that nobody confirms', () => {
  test('is told as such after a day, and can be sent anew or changed for another', async () => {
    const person = await newPerson()
    await signIn(page, person, '/account')
    const email = section('E-mail address')
    const next = newAddress('never')
    await email.getByRole('button', { name: 'Change address' }).click()
    await email.getByLabel('New e-mail address').fill(next)
    await email.getByRole('button', { name: 'Send confirmation' }).click()
    await email.getByText(`Waiting for ${next} to be confirmed`).waitFor()
    await ask('POST', '/rest/v1/rpc/age_email_change', { person: person.id, by: '2 days' })
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith('portico.send-locks')).forEach((key) => localStorage.removeItem(key)))
    await page.reload()
    await email.getByText(`${next} was never confirmed`).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await email.getByRole('button', { name: 'Send again' }).click()
    await email.getByText('New mails are on their way.').waitFor()
    await email.getByText(`Waiting for ${next} to be confirmed`).waitFor()
    await email.getByRole('button', { name: 'Use another address' }).click()
    await email.getByLabel('New e-mail address').fill(people.agent.email)
    await email.getByRole('button', { name: 'Send confirmation' }).click()
    await email.getByText('Another account uses this e-mail address.').waitFor()
    await email.getByRole('button', { name: 'Cancel' }).click()
    await email.getByText(`Waiting for ${next} to be confirmed`).waitFor()
  })
})

describe('a guest saves the account', () => {
  test('with a number, after what the operator asks at sign-up; a mistyped one is changed', async () => {
    await comeAsGuest()
    await page.goto('/save-account')
    await page.getByRole('button', { name: 'Use a phone number instead' }).click()
    const wrong = newNumber()
    await page.getByRole('textbox', { name: 'Phone number' }).fill(wrong)
    await page.getByRole('button', { name: 'Save account' }).click()
    await page.getByText('Fill in “Company”.').waitFor()
    await page.getByLabel('Company').fill('Harbor')
    await page.getByRole('checkbox').check()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('button', { name: 'Save account' }).click()
    await page.getByRole('heading', { name: 'Check your phone' }).waitFor()
    await page.getByRole('button', { name: `Change the number ${wrong}` }).click()
    const number = newNumber()
    await page.getByRole('textbox', { name: 'Phone number' }).fill(number)
    expect(await page.getByLabel('Company').inputValue()).toBe('Harbor')
    await page.getByRole('button', { name: 'Save account' }).click()
    // One message a minute, to whichever number; a slow machine may have let the minute pass.
    const early = page.getByText('Too soon for another message')
    const sent = page.getByText(number, { exact: true })
    await early.or(sent).first().waitFor()
    if (await early.isVisible()) {
      await ask('POST', '/rest/v1/rpc/age_messages', { by: '2 minutes' })
      await page.getByRole('button', { name: 'Save account' }).click()
    }
    await sent.waitFor()
    await page.getByLabel('Code from the message').fill(await texted(number))
    await page.waitForURL((url) => url.pathname !== '/save-account')
    await page.goto('/account')
    await page.getByRole('main').getByText(number, { exact: true }).first().waitFor()
    expect(await page.getByText('You are here as a guest').count()).toBe(0)
    const { users } = await ask<{ users: { phone: string; is_anonymous: boolean; user_metadata: Record<string, unknown> }[] }>('GET', '/auth/v1/admin/users?per_page=200')
    expect(users.find((user) => user.phone === number.slice(1))).toMatchObject({ is_anonymous: false, user_metadata: { company: 'Harbor', terms_agreed_at: expect.any(String) } })
  })

  test('or leaves it behind for an account that is there already', async () => {
    const person = await newPerson()
    await comeAsGuest()
    await page.goto('/save-account')
    await page.getByLabel('E-mail address').fill(person.email)
    await page.getByLabel('New password').fill('five quiet words 5')
    await page.getByLabel('Company').fill('Harbor')
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Save account' }).click()
    await page.getByText('There is already an account with this address').waitFor()
    await page.getByRole('button', { name: 'Leave what I did and sign in' }).click()
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
    await page.goto('/account')
    await page.getByRole('main').getByText(person.email, { exact: true }).first().waitFor()
    expect(await page.getByText('You are here as a guest').count()).toBe(0)
  })
})

test('an account elsewhere that is somebody else’s already is refused where the visit began', async () => {
  const theirs = newAddress('theirs')
  const visit = async (who: Page) => {
    await who.getByRole('region', { name: 'Connected accounts', exact: true }).getByRole('button', { name: /^Connect / }).click()
    await who.getByRole('heading', { name: 'Continue to' }).waitFor()
    await who.getByLabel('E-mail address').fill(theirs)
    await who.getByRole('button', { name: 'Continue', exact: true }).click()
    await who.waitForURL(/\/account$/)
  }
  const other = await openWindow(browser, box.status.APP_URL)
  const first = await other.newPage()
  await signIn(first, await newPerson(), '/account')
  await visit(first)
  await first.getByText(/ is connected\.$/).waitFor()
  await other.close()

  await signIn(page, await newPerson(), '/account')
  await visit(page)
  const accounts = section('Connected accounts')
  await accounts.getByText(/ is not connected$/).waitFor()
  await accounts.getByText(/This account is already connected/).waitFor()
  expect(await accounts.getByRole('listitem').count()).toBe(1)
  expect(await axeViolations(page)).toEqual([])
  await page.reload()
  await accounts.getByRole('button', { name: /^Connect / }).waitFor()
  expect(await accounts.getByText(/ is not connected$/).count()).toBe(0)
})

test('a device that signs in elsewhere shows in the list by itself', async () => {
  const person = await newPerson()
  await signIn(page, person, '/account/security')
  const list = section('Where you are signed in')
  await list.getByText('This device').waitFor()
  expect(await list.getByRole('listitem').count()).toBe(1)
  const elsewhere = await openWindow(browser, box.status.APP_URL, phone)
  await signIn(await elsewhere.newPage(), person, '/account')
  await expect.poll(() => list.getByRole('listitem').count(), { timeout: 60_000 }).toBe(2)
  await elsewhere.close()
  const activity = section('Security activity')
  await activity.getByLabel('Show', { exact: true }).selectOption({ label: 'Second factors and passkeys' })
  await activity.getByText('Nothing of this kind has been noted.').waitFor()
  expect(await axeViolations(page)).toEqual([])
})
