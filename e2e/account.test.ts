import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deflateSync, crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { signIn } from './people.ts'
import { box, browser, desktop, linkIn, newestMail, openWindow, page, phone, setStage, window } from './stage.ts'

const migration = `
insert into storage.buckets (id, name, public) values ('avatars', 'avatars', true);
create policy "people keep their own photo" on storage.objects for all to authenticated
  using (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text)
  with check (bucket_id = 'avatars' and (storage.foldername(name))[1] = (select auth.uid())::text);
create table public.loans (id int generated always as identity primary key, holder uuid not null default auth.uid() references auth.users, what text);
create table public.wishes (id int generated always as identity primary key, who uuid not null default auth.uid() references auth.users on delete cascade, what text);
alter table public.loans enable row level security;
alter table public.wishes enable row level security;
create policy "people see their loans" on public.loans for select to authenticated using (holder = (select auth.uid()));
create policy "people see their wishes" on public.wishes for select to authenticated using (who = (select auth.uid()));
grant select on public.loans, public.wishes to authenticated;
grant all on public.loans, public.wishes to service_role;
create function public.add_sessions(person uuid, count int) returns void language sql security definer set search_path = '' as $$
  insert into auth.sessions (id, user_id, created_at, refreshed_at, aal, user_agent, ip)
  select gen_random_uuid(), person, now() - i * interval '1 day', now() at time zone 'utc' - i * interval '1 day', 'aal1',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1', '10.0.0.7'
  from generate_series(1, count) i $$;
revoke execute on function public.add_sessions from public, anon, authenticated;
grant execute on function public.add_sessions to service_role;
`

setStage({
  async prepare(project) {
    const file = join(project, 'supabase/config.toml')
    const toml = (await readFile(file, 'utf8'))
      .replace('minimum_password_length = 8', 'minimum_password_length = 8\nenable_anonymous_sign_ins = true')
      .replace('[auth.email]', '[auth.sms]\nenable_signup = true\nenable_confirmations = true\n\n[auth.email]')
    await writeFile(file, toml)
    await writeFile(join(project, 'supabase/migrations/20260901099000_account.sql'), migration)
  },
})

interface Person {
  id: string
  email: string
  password: string
}

let made = 0
const newAddress = (name: string) => `${name.toLowerCase().replace(/[^a-z]/g, '').slice(0, 40)}-${++made}@people.example`

async function ask(method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${box.status.API_URL}${path}`, {
    method,
    headers: { apikey: box.status.SECRET_KEY, authorization: `Bearer ${box.status.SECRET_KEY}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

async function newPerson(name: string): Promise<Person> {
  const [email, password] = [newAddress(name), 'three quiet words']
  const { id } = (await ask('POST', '/auth/v1/admin/users', { email, password, email_confirm: true, user_metadata: { full_name: name } })) as { id: string }
  return { id, email, password }
}

const section = (name: string) => page.getByRole('region', { name, exact: true })
const isWide = async () => (await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0

/** A picture of 300 by 200 pixels, red at the left and blue at the right. */
function makePicture(): Buffer {
  const [width, height] = [300, 200]
  const row = Buffer.concat([Buffer.from([0]), ...Array.from({ length: width }, (_, x) => Buffer.from(x < width / 2 ? [220, 40, 30] : [30, 60, 220]))])
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
    length.writeUInt32BE(data.length)
    sum.writeUInt32BE(crc32(body))
    return Buffer.concat([length, body, sum])
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), chunk('IHDR', header), chunk('IDAT', deflateSync(Buffer.concat(Array.from({ length: height }, () => row)))), chunk('IEND', Buffer.alloc(0))])
}

describe('sessions and activity', () => {
  test('each is named by its device; one is signed out alone, and its window is led to the door', async () => {
    const person = await newPerson('Sessions')
    const elsewhere = await openWindow(browser, box.status.APP_URL, phone)
    const other = await elsewhere.newPage()
    await signIn(other, person, '/account')
    await signIn(page, person, '/account/security')
    const list = section('Where you are signed in')
    await list.getByText('This device').waitFor()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(2)
    await list.getByRole('button', { name: /^Sign out Chrome on/ }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out' }).click()
    await list.getByText(/is signed out\.$/).waitFor()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
    await other.reload()
    await other.waitForURL(/\/sign-in/)
    await elsewhere.close()
    await section('Security activity').getByText('Signed in').first().waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  test('a hundred fit on a phone, and go at once', async () => {
    const person = await newPerson('Hundred')
    await ask('POST', '/rest/v1/rpc/add_sessions', { person: person.id, count: 100 })
    await page.setViewportSize(phone)
    await signIn(page, person, '/account/security')
    const list = section('Where you are signed in')
    await list.getByRole('button', { name: 'Show all 101 sessions' }).click()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(101)
    expect(await list.getByText('Safari on iPhone').count()).toBe(100)
    expect(await isWide()).toBe(true)
    await list.getByRole('button', { name: 'Sign out 100 other sessions' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Sign out other devices' }).click()
    await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
  })
})

describe('the profile', () => {
  test('a photo is cut to a square, shown everywhere, and removed with its file', async () => {
    const person = await newPerson('Photo')
    await signIn(page, person, '/account')
    const photo = section('Photo')
    await photo.getByRole('button', { name: 'Upload photo' }).waitFor()
    await page.locator('input[type=file]').setInputFiles({ name: 'notes.txt', mimeType: 'image/png', buffer: Buffer.from('no picture') })
    await photo.getByText('This file is no picture').waitFor()
    await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer: makePicture() })
    const dialog = page.getByRole('dialog', { name: 'Choose the part to show' })
    await dialog.getByRole('application').focus()
    for (let press = 0; press < 12; press++) await page.keyboard.press('ArrowRight')
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save photo' }).click()
    await photo.getByText('Your photo is saved.').waitFor()
    const source = (await photo.locator('img').getAttribute('src')) ?? ''
    expect(source).toContain(`/avatars/${person.id}/`)
    const answer = await fetch(source)
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/webp'])
    await expect.poll(() => page.locator(`img[src="${source}"]`).count()).toBeGreaterThan(1)
    await photo.getByRole('button', { name: 'Remove' }).click()
    await photo.getByText('Your photo is removed.').waitFor()
    expect((await fetch(`${source}?fresh`)).status).toBe(400)
  })

  test('an address changes after both mailboxes agreed, and this page follows', async () => {
    const person = await newPerson('Mail')
    const next = newAddress('next')
    await signIn(page, person, '/account')
    const email = section('E-mail address')
    await email.getByRole('button', { name: 'Change address' }).click()
    await email.getByLabel('New e-mail address').fill(next)
    await email.getByRole('button', { name: 'Send confirmation' }).click()
    await email.getByText(`Waiting for ${next} to be confirmed`).waitFor()
    expect(await email.getByRole('button', { name: /^Send again in/ }).isDisabled()).toBe(true)
    expect(await axeViolations(page)).toEqual([])
    const tab = await window.newPage()
    for (const [address, heading] of [[person.email, 'One more confirmation'], [next, 'Your new address is in force']] as const) {
      await tab.goto(linkIn(await newestMail(box.status, address), box.status.APP_URL))
      await tab.getByRole('button', { name: 'Confirm address' }).click()
      await tab.getByRole('heading', { name: heading }).waitFor()
    }
    await page.bringToFront()
    await expect.poll(() => email.getByText(next, { exact: true }).count()).toBeGreaterThan(0)
  })

  test('a phone number is added by the code sent to it', async () => {
    const person = await newPerson('Phone')
    await signIn(page, person, '/account')
    const number = section('Phone number')
    await number.getByRole('button', { name: 'Add number' }).click()
    await number.getByLabel('New phone number').fill('12345')
    await number.getByRole('button', { name: 'Send code' }).click()
    await number.getByText('This is not a whole number').waitFor()
    await number.getByLabel('New phone number').fill('+44 20 7946 0123')
    await number.getByRole('button', { name: 'Send code' }).click()
    await number.getByText('We have sent a code to +442079460123.').waitFor()
    const { messages } = (await (await fetch(`${box.status.MAILBOX_URL}/phone/api/v1/messages?to=442079460123`)).json()) as { messages: unknown[] }
    await number.getByLabel('Code from the message').fill('000000')
    await number.getByText('This code or link is wrong').waitFor()
    await number.getByLabel('Code from the message').fill(/\b(\d{6})\b/.exec(JSON.stringify(messages[0]))?.[1] ?? '')
    await number.getByText('Your number is saved.').waitFor()
    await number.getByText('+442079460123').waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  test('an account elsewhere is connected by way of it, and disconnected', async () => {
    const person = await newPerson('Linked')
    await signIn(page, person, '/account')
    const accounts = section('Connected accounts')
    await accounts.getByRole('button', { name: /^Connect / }).click()
    await page.getByRole('heading', { name: 'Continue to' }).waitFor()
    await page.getByLabel('E-mail address').fill(newAddress('elsewhere'))
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.waitForURL(/\/account$/)
    await accounts.getByText(/ is connected\.$/).waitFor()
    await expect.poll(() => accounts.getByRole('listitem').count()).toBe(2)
    await accounts.getByText(/^elsewhere-/).waitFor()
    await accounts.getByRole('button', { name: /^Disconnect (?!E-mail)/ }).click()
    await page.getByRole('alertdialog').getByText('e-mail and password').waitFor()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Disconnect' }).click()
    await accounts.getByText(/is disconnected\.$/).waitFor()
    await expect.poll(() => accounts.getByRole('listitem').count()).toBe(1)
  })
})

describe('leaving', () => {
  test('takes the data along, is refused while a row must keep the account, and then ends in a farewell', async () => {
    const person = await newPerson('Leaver')
    await ask('POST', '/rest/v1/loans', { holder: person.id, what: 'a book' })
    await ask('POST', '/rest/v1/wishes', [{ who: person.id, what: 'first' }, { who: person.id, what: 'second' }])
    await signIn(page, person, '/account/data')
    const [download] = await Promise.all([page.waitForEvent('download'), section('Export your data').getByRole('button', { name: 'Export' }).click()])
    const file = JSON.parse(await readFile(await download.path(), 'utf8')) as Record<string, unknown>
    expect(file).toMatchObject({ format: 'portico-account-export', account: { id: person.id, email: person.email }, not_read: [] })
    expect(file['sessions']).toHaveLength(1)
    const rows = file['rows'] as { table: string; rows: unknown[]; complete: boolean }[]
    expect(rows.find(({ table }) => table === 'wishes')).toMatchObject({ complete: true, rows: [{ what: 'first' }, { what: 'second' }] })
    await section('Export your data').getByText('The file is saved').waitFor()

    await section('Delete account').getByRole('button').click()
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('Your rows in wishes').waitFor()
    expect(await axeViolations(page)).toEqual([])
    await dialog.getByRole('textbox').fill('someone@else.example')
    await dialog.getByRole('button', { name: 'Delete account for good' }).click()
    await dialog.getByText(`This is not ${person.email}.`).waitFor()
    await dialog.getByRole('textbox').fill(person.email.toUpperCase())
    await dialog.getByRole('button', { name: 'Delete account for good' }).click()
    await dialog.getByText('Delete your rows in loans or give them to someone else').waitFor()
    await ask('DELETE', `/rest/v1/loans?holder=eq.${person.id}`)
    await dialog.getByRole('button', { name: 'Delete account for good' }).click()
    await page.waitForURL(/\/goodbye$/)
    await page.getByRole('heading', { name: 'Your account is deleted' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect((await window.cookies()).filter(({ name }) => name.includes('auth-token'))).toEqual([])
    expect(await ask('GET', `/rest/v1/wishes?who=eq.${person.id}`)).toEqual([])
    await page.reload()
    await page.waitForURL(/\/sign-in$/)
  })
})

describe('a guest', () => {
  test('is shown how to stay, and nothing a guest cannot do', async () => {
    await page.goto('/sign-in')
    await page.getByRole('button', { name: /guest/i }).click()
    await page.waitForURL((url) => !url.pathname.startsWith('/sign-in'))
    await page.goto('/account')
    await page.getByText('You are here as a guest', { exact: true }).waitFor()
    await section('Your name').waitFor()
    for (const name of ['E-mail address', 'Phone number']) expect(await section(name).count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('main').getByRole('link', { name: 'Save your account' }).last().click()
    await page.waitForURL(/\/save-account$/)
    await page.getByRole('heading', { name: 'Save your account' }).waitFor()
    await page.goto('/account/security')
    await section('Signing out').waitFor()
    for (const name of ['Password', 'Passkeys', 'Where you are signed in', 'Security activity']) expect(await section(name).count()).toBe(0)
    await page.goto('/account/data')
    await section('Export your data').waitFor()
    expect(await section('Delete account').count()).toBe(0)
  })
})

test('the pages fit a phone and a desk, in German too', async () => {
  const person = await newPerson('Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverordnung')
  await signIn(page, person, '/account')
  for (const viewport of [desktop, phone, { width: 320, height: 640 }]) {
    await page.setViewportSize(viewport)
    for (const path of ['/account', '/account/security', '/account/data']) {
      await page.goto(path)
      await page.getByRole('heading', { level: 2 }).first().waitFor()
      expect(await isWide(), `${path} at ${viewport.width}`).toBe(true)
    }
  }
  await page.evaluate(() => localStorage.setItem('portico.language', 'de'))
  for (const path of ['/account', '/account/security', '/account/data']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 2 }).first().waitFor()
    expect(await isWide(), `${path} in German`).toBe(true)
    expect(await axeViolations(page)).toEqual([])
  }
})
