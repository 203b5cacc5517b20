import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { people, pressInTurn, signIn } from './people.ts'
import { box, browser, openWindow, page, phone, setStage, window } from './stage.ts'

/** A table nobody thought of protecting. */
const addOpenTable = (project: string) =>
  writeFile(
    join(project, 'supabase/migrations/29990101000000_price_list.sql'),
    `create table public.price_list (id integer primary key, item text not null, cost_price numeric);
     insert into public.price_list values (1, 'tea', 2), (2, 'coffee', 3);
     grant select on public.price_list to anon, authenticated;
    `,
  )

setStage({ prepare: addOpenTable })
beforeEach(() => window.grantPermissions(['clipboard-read', 'clipboard-write']))

const tabs = ['session', 'storage', 'events', 'calls', 'channels', 'signed-out', 'report'] as const
const clipboard = () => page.evaluate(() => navigator.clipboard.readText())
const option = (text: RegExp) => page.getByRole('option').filter({ hasText: text }).first()

/** The real secrets of the session in this window: tokens as the cookies hold them, the key, the password. */
async function secretsHere(password: string): Promise<string[]> {
  const cookies = (await window.cookies()).filter(({ name }) => /auth-token(\.\d+)?$/.test(name)).sort((one, other) => one.name.localeCompare(other.name))
  const joined = decodeURIComponent(cookies.map(({ value }) => value).join(''))
  const tokens = JSON.parse(Buffer.from(joined.replace(/^base64-/, ''), 'base64url').toString()) as { access_token: string; refresh_token: string }
  const parts = tokens.access_token.split('.')
  return [tokens.access_token, parts[1] ?? '', parts[2] ?? '', tokens.refresh_token, joined, box.status.PUBLISHABLE_KEY, box.status.SECRET_KEY, password]
}

describe('what is shown', () => {
  test('the session stands in words and is renewed on a press', async () => {
    await signIn(page, people.owner, '/inspector')
    await page.getByText('owner@helpdesk.example').first().waitFor()
    await page.getByText('One factor (aal1)').waitFor()
    await page.getByText(/^· 5\d:\d\d left$/).waitFor()
    const issued = page.locator('dt', { hasText: 'Issued' }).locator('+ dd')
    const before = await issued.innerText()
    // A token says when it was issued to the second.
    await page.waitForTimeout(1100)
    await page.getByRole('button', { name: 'Refresh now' }).click()
    await page.getByText(/^Renewed\. The new token is good until/).waitFor()
    await expect.poll(() => issued.innerText()).not.toBe(before)
    await page.getByRole('button', { name: 'Ask the server' }).click()
    await page.getByText('The server knows this session, and it stands.').waitFor()
    await page.getByRole('link', { name: 'Events' }).click()
    await page.getByText('TOKEN_REFRESHED').first().waitFor()
  })

  test('an event of another tab is told as one', async () => {
    await signIn(page, people.owner, '/inspector?tab=events')
    await page.getByText('INITIAL_SESSION').waitFor()
    const other = await window.newPage()
    await other.goto('/inspector')
    await other.getByRole('button', { name: 'Refresh now' }).click()
    await other.getByText(/^Renewed/).waitFor()
    await page.locator('li', { hasText: 'TOKEN_REFRESHED' }).filter({ hasText: 'another tab' }).first().waitFor()
  })

  test('cookies are weighed, and each is told for what it is', async () => {
    await signIn(page, people.owner, '/inspector?tab=storage')
    await page.getByText('The session’s cookies fit together.').waitFor()
    await page.getByText('The session, in one piece').waitFor()
    await page.evaluate(() => (document.cookie = 'theme=dark; path=/'))
    await page.getByText('Not of this app').waitFor()
  })

  test('a session too large for one cookie is told piece by piece, with what it weighs', async () => {
    await signIn(page, people.customer, '/inspector?tab=storage')
    await page.getByText('The session, in one piece').waitFor()
    const { apikey, token } = { apikey: box.status.SECRET_KEY, token: `Bearer ${box.status.SECRET_KEY}` }
    const id = await page.evaluate(() => Object.entries(localStorage).flatMap(([key, value]) => (key.endsWith('-auth-token-user') ? [(JSON.parse(value) as { user: { id: string } }).user.id] : []))[0])
    const large = { method: 'PUT', headers: { apikey, authorization: token, 'content-type': 'application/json' }, body: JSON.stringify({ user_metadata: { note: 'n'.repeat(6000) } }) }
    expect((await fetch(`${box.status.API_URL}/auth/v1/admin/users/${id ?? ''}`, large)).status).toBe(200)
    await page.getByRole('link', { name: 'Session' }).click()
    await page.getByRole('button', { name: 'Refresh now' }).click()
    await page.getByText(/^Renewed/).waitFor()
    await page.getByRole('link', { name: 'Storage' }).click()
    await page.getByText('The session, piece 2').waitFor()
    await page.getByText(/Above the 8 kB/).waitFor()
    await page.getByText('The session’s cookies fit together.').waitFor()
  })

  test('every call is there, with the meaning of its refusal', async () => {
    await signIn(page, people.owner, '/inspector?tab=calls')
    await option(/portico_describe/).click()
    await page.getByText('You, with your access token').waitFor()
    await page.getByRole('searchbox').fill('nothing like that')
    await page.getByText('No call fits').waitFor()
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('link', { name: 'Signed out' }).click()
    await page.getByLabel('Path').fill('/rest/v1/no_such_table')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText(/404 PGRST205/).first().waitFor()
    await page.getByRole('link', { name: 'Calls' }).click()
    await page.getByRole('switch', { name: 'Failed only' }).check()
    await option(/404/).click()
    await page.getByText('This table no longer exists').waitFor()
    expect(new URL(page.url()).searchParams.get('failed')).toBe('1')
  })

  test('a list held still takes no new calls until it moves again', async () => {
    await signIn(page, people.owner, '/inspector?tab=calls')
    await option(/portico_describe/).waitFor()
    await page.getByRole('button', { name: 'Pause' }).click()
    const count = await page.getByRole('option').count()
    await page.getByRole('link', { name: 'Session' }).click()
    await page.getByRole('button', { name: 'Ask the server' }).click()
    await page.getByText('The server knows this session').waitFor()
    await page.getByRole('link', { name: 'Calls' }).click()
    await page.getByText(/new call/).waitFor()
    expect(await page.getByRole('option').count()).toBe(count)
    await page.getByRole('button', { name: 'Resume' }).click()
    await expect.poll(() => page.getByRole('option').count()).toBeGreaterThan(count)
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('No call yet').waitFor()
  })
})

describe('channels', () => {
  test('those that follow a table are there with their state', async () => {
    await signIn(page, people.owner, '/data/public/tickets')
    await page.getByText('4,100 rows').first().waitFor()
    const sockets: string[] = []
    page.on('websocket', (socket) => sockets.push(socket.url()))
    await page.reload()
    await expect.poll(() => sockets.length).toBeGreaterThan(0)
    await page.getByText('4,100 rows').first().waitFor()
    await pressInTurn(page, 'gi')
    await page.getByRole('heading', { name: 'Inspector', level: 1 }).waitFor()
    await page.getByRole('navigation', { name: 'Inspector' }).getByRole('link', { name: 'Channels' }).click()
    await page.getByRole('main').getByRole('listitem').filter({ hasText: 'public.tickets' }).first().waitFor()
    await page.getByText(/One socket carries every channel/).waitFor()
  })
})

describe('signed out', () => {

  test('each table is told as open or closed, as it is for somebody without an account', async () => {
    await signIn(page, people.owner, '/inspector?tab=signed-out')
    await page.getByRole('button', { name: 'Check all tables' }).click()
    const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}\\b`) })
    await row('tickets').getByText('Closed to the public').waitFor()
    expect(await row('tickets').innerText()).toContain('4,100 rows')
    await row('price_list').getByText('Open to everyone, as much as you see').waitFor()
    expect(await row('price_list').innerText()).toContain('Readable columns: id, item and cost_price')
    await page.getByText('One table can be read by anyone').waitFor()
  })

  test('asking as nobody leaves the session as it is', async () => {
    await signIn(page, people.owner, '/inspector?tab=signed-out&path=%2Frest%2Fv1%2Ftickets%3Fselect%3Did')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('It does not answer without a session.').waitFor()
    await page.getByRole('link', { name: 'Events' }).click()
    await page.getByText('INITIAL_SESSION').waitFor()
    expect(await page.getByText('TOKEN_REFRESHED').count()).toBe(0)
    await page.goto('/data/public/tickets')
    await page.getByText('4,100 rows').first().waitFor()
  })

  test('what would change something is not asked', async () => {
    await signIn(page, people.owner, '/inspector?tab=signed-out')
    await page.getByLabel('Path').fill('/auth/v1/logout')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText(/Only reads below/).waitFor()
  })
})

describe('secrets', () => {
  test('stand nowhere: on no tab, in no command, in no report', async () => {
    await signIn(page, people.owner, '/inspector')
    await page.getByText('One factor (aal1)').waitFor()
    const secrets = await secretsHere(people.owner.password)
    expect(secrets.every((secret) => secret.length > 8)).toBe(true)
    for (const tab of tabs) {
      await page.goto(`/inspector?tab=${tab}`)
      await page.getByRole('region').first().waitFor()
      await page.waitForTimeout(300)
      const shown = await page.content()
      for (const secret of secrets) expect(shown.includes(secret), `${tab} shows ${secret.slice(0, 6)}…`).toBe(false)
    }
    await page.goto('/inspector?tab=calls')
    await option(/portico_describe/).click()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await expect.poll(clipboard).toContain('curl ')
    const command = await clipboard()
    expect(command).toContain('$ACCESS_TOKEN')
    await page.goto('/inspector?tab=report')
    await page.getByRole('textbox').fill(`It broke for ${people.owner.email} with ${secrets[0] ?? ''} and ${box.status.PUBLISHABLE_KEY}`)
    await page.getByText(/e-mail address/).last().waitFor()
    await page.getByRole('button', { name: 'Copy report' }).click()
    await expect.poll(clipboard).toContain('## What happened')
    const report = await clipboard()
    for (const secret of [...secrets, people.owner.email, '11111111-1111-4111-8111-111111111111']) {
      expect(report).not.toContain(secret)
      expect(command).not.toContain(secret)
    }
    await page.getByText(/^Taken out: .*1 token/).waitFor()
  })
})

describe('for everyone', () => {
  test('nothing of it is loaded before it is opened', async () => {
    const loaded: string[] = []
    page.on('response', (answer) => loaded.push(new URL(answer.url()).pathname))
    await signIn(page, people.owner, '/data/public/tickets')
    await page.getByText('4,100 rows').first().waitFor()
    expect(loaded.filter((path) => /\/(inspector|at-tools)-/.test(path))).toEqual([])
    await page.keyboard.press('g')
    await page.keyboard.press('i')
    await page.getByRole('heading', { name: 'Inspector', level: 1 }).waitFor()
    expect(loaded.filter((path) => /\/inspector-.*\.js$/.test(path))).toHaveLength(1)
  })

  test('keys alone reach a call and what it says', async () => {
    await signIn(page, people.owner, '/inspector?tab=calls')
    await option(/portico_describe/).waitFor()
    const list = page.getByRole('listbox', { name: 'Calls, newest first' })
    await page.getByRole('button', { name: 'Clear' }).focus()
    await page.keyboard.press('Tab')
    expect(await list.evaluate((element) => element === document.activeElement)).toBe(true)
    await page.keyboard.press('End')
    await page.getByText('Asked as').waitFor()
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    expect(await list.evaluate((element) => element.querySelectorAll('[aria-selected="true"]').length)).toBe(1)
  })

  test.each(['light', 'dark'] as const)('axe finds nothing on any tab, %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await signIn(page, people.owner, '/inspector')
    for (const tab of tabs) {
      await page.goto(`/inspector?tab=${tab}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      if (tab === 'calls') await option(/portico_describe/).click()
      if (tab === 'signed-out') {
        await page.getByRole('button', { name: 'Check all tables' }).click()
        await page.getByText(/can be read by anyone|No table checked/).waitFor()
      }
      expect(await axeViolations(page), tab).toEqual([])
    }
  })

  test('a phone shows every tab without scrolling sideways, and a call on a page of its own', async () => {
    const small = await openWindow(browser, box.status.APP_URL, phone)
    const tab = await small.newPage()
    await signIn(tab, people.owner, '/inspector')
    for (const name of tabs) {
      await tab.goto(`/inspector?tab=${name}`)
      await tab.getByRole('heading', { level: 1 }).waitFor()
      await tab.waitForTimeout(300)
      expect(await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBeLessThanOrEqual(0)
      expect(await axeViolations(tab), name).toEqual([])
    }
    await tab.goto('/inspector?tab=calls')
    await tab.getByRole('listbox').getByRole('option').first().click()
    await tab.getByText('Asked as').waitFor()
    expect(await tab.getByRole('listbox').isVisible()).toBe(false)
    await tab.getByRole('button', { name: 'Back to the list' }).click()
    await tab.getByRole('listbox').waitFor()
    await small.close()
  })
})
