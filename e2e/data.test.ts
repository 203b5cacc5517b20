import { describe, expect, test } from 'vitest'
import { axeViolations } from './axe.ts'
import { people, signIn } from './people.ts'
import { box, browser, desktop, openWindow, page, phone, setStage, window } from './stage.ts'
import { asService } from './tickets.ts'

setStage()

const field = (name: RegExp) => page.getByRole('textbox', { name })
const rows = () => page.getByRole('grid').getByRole('row')

async function ticketOfHarbor(): Promise<number> {
  const [ticket] = await asService('/tickets?select=id&organization_id=eq.a0000000-0000-4000-8000-000000000001&status=eq.open&order=id.desc&limit=1', 'GET')
  return Number(ticket?.id)
}

describe('what the policies allow', () => {
  test('each person sees their own part of the same tables', async () => {
    const seen: string[] = []
    for (const who of [people.owner, people.agent, people.customer]) {
      const own = await openWindow(browser, box.status.APP_URL)
      const tab = await own.newPage()
      await signIn(tab, who, '/data/public/tickets')
      seen.push(await tab.getByText(/^[\d,]+ rows$/).first().innerText())
      await own.close()
    }
    expect(seen[0]).toBe('4,100 rows')
    expect(seen[1]).toBe('2,600 rows')
    expect(new Set(seen).size).toBe(3)
  })

  test('controls that the role may not use are not there', async () => {
    await signIn(page, people.agent, '/data/public/ticket_sla')
    await rows().nth(5).waitFor()
    expect(await page.getByRole('button', { name: 'New record' }).count()).toBe(0)
    await page.goto('/data/public/organizations')
    await rows().nth(1).waitFor()
    expect(await page.getByRole('button', { name: 'New record' }).count()).toBe(0)
  })

  test('a write that the policies refuse says so, and keeps what was entered', async () => {
    await signIn(page, people.agent, '/data/public/organizations/a0000000-0000-4000-8000-000000000001')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await field(/^Name/).fill('Taken over')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/policies of this project do not let you/).waitFor()
    expect(await field(/^Name/).inputValue()).toBe('Taken over')
    const [organization] = await asService('/organizations?slug=eq.harbor-coffee&select=name', 'GET')
    expect(organization?.name).toBe('Harbor Coffee')
  })
})

describe('the grid', () => {
  test('thousands of rows come by scrolling, and the address keeps sort and filter', async () => {
    await signIn(page, people.owner, '/data/public/tickets')
    await rows().nth(5).waitFor()
    await page.waitForFunction(() => Number(document.querySelector('[role=grid]')?.getAttribute('aria-rowcount')) > 4000)
    await page.evaluate(() => {
      const scroller = [...document.querySelectorAll('*')].find((element) => element.scrollHeight > element.clientHeight + 10_000)
      scroller?.scrollTo({ top: scroller.scrollHeight })
    })
    await page.waitForFunction(() => [...document.querySelectorAll('[role=row]')].some((row) => Number(row.getAttribute('aria-rowindex')) > 4000))
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('option', { name: 'Status' }).or(page.getByRole('menuitem', { name: 'Status' })).first().click()
    await page.getByRole('option', { name: 'open' }).or(page.getByRole('menuitemcheckbox', { name: 'open' })).first().click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForFunction(() => location.search.includes('status'))
    const address = page.url()
    await page.goto(address)
    await page.getByText(/^\d{2,3} rows$/).first().waitFor()
  })

  test('on a phone the rows are a list, and a record opens over it', async () => {
    await page.setViewportSize(phone)
    await signIn(page, people.customer, '/data/public/tickets')
    await page.getByText('rows').first().waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })
})

describe('first sight', () => {
  test('a table opens with its newest rows, and references read as names', async () => {
    const newest = await asService('/tickets?select=subject&organization_id=in.(a0000000-0000-4000-8000-000000000001,a0000000-0000-4000-8000-000000000002)&order=created_at.desc,id.desc&limit=1', 'GET')
    await signIn(page, people.owner, '/data/public/tickets')
    await rows().nth(1).getByText(String(newest[0]?.['subject'])).waitFor()
    await page.goto('/data/public/tickets/12?page=full')
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const assignee = page.getByRole('combobox', { name: /^Assignee/ })
    await expect.poll(() => assignee.inputValue()).not.toMatch(/[\da-f]{8}-/)
    await page.goto('/data/public/ticket_sla')
    await rows().nth(1).getByRole('link', { name: /^(Harbor Coffee|Northlight Bikes)$/ }).waitFor()
    await expect.poll(() => page.getByRole('grid').innerText()).not.toMatch(/[\da-f]{8}-/)
  })
})

describe('forms', () => {
  test('a record is created with its references picked by name, changed, and deleted by its owner', async () => {
    await signIn(page, people.owner, '/data/public/articles/new')
    await page.getByRole('combobox', { name: /^Organization/ }).fill('Harbor')
    await page.getByRole('option', { name: /Harbor Coffee/ }).click()
    await field(/^Title/).fill('Keeping beans fresh')
    await field(/^Slug/).fill('Not A Slug')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByText(/does not have the form the project asks for/).waitFor()
    await field(/^Slug/).fill('keeping-beans-fresh')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { name: 'Keeping beans fresh' }).waitFor()

    await page.getByRole('button', { name: /^More|actions/i }).last().click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: /^Delete/ }).click()
    await page.getByText(/deleted/).first().waitFor()
    expect(await asService('/articles?slug=eq.keeping-beans-fresh&select=id', 'GET')).toEqual([])
  })

  test('only what was changed is sent, so that a colleague\'s change to another field stays', async () => {
    const id = await ticketOfHarbor()
    await signIn(page, people.agent, `/data/public/tickets/${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await field(/^Subject/).fill('Changed by the agent')
    await asService(`/tickets?id=eq.${id}`, 'PATCH', { priority: 'urgent' })
    const sent = page.waitForRequest((request) => request.method() === 'PATCH')
    await page.getByRole('button', { name: 'Save' }).click()
    expect(Object.keys(JSON.parse((await sent).postData() ?? '{}'))).toEqual(['subject'])
    await page.getByRole('heading', { name: 'Changed by the agent' }).waitFor()
    const [ticket] = await asService(`/tickets?id=eq.${id}&select=subject,priority`, 'GET')
    expect(ticket).toEqual({ subject: 'Changed by the agent', priority: 'urgent' })
  })

  test.each([
    ['as it happens', true],
    ['on saving, where nothing is live', false],
  ])('two people who change the same field are told once, and choose: %s', async (_, isLive) => {
    if (!isLive) await page.routeWebSocket(/realtime/, (socket) => void socket.close({ code: 1011 }))
    const id = await ticketOfHarbor()
    const [mine, theirs] = [`Mine ${isLive}`, `Theirs ${isLive}`]
    await signIn(page, people.agent, `/data/public/tickets/${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await field(/^Subject/).fill(mine)
    await asService(`/tickets?id=eq.${id}`, 'PATCH', { subject: theirs })
    await page.getByRole('button', { name: 'Save' }).click()
    const keep = page.getByRole('button', { name: 'Keep mine' })
    // Asked by the answer to the save, and heard live: one question.
    await keep.waitFor()
    expect(await page.getByRole('definition').filter({ hasText: theirs }).count()).toBe(1)
    await keep.click()
    await keep.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: mine, exact: true }).waitFor()
    expect(await asService(`/tickets?id=eq.${id}&select=subject`, 'GET')).toEqual([{ subject: mine }])
  })

  test('what was entered survives a lost network', async () => {
    await signIn(page, people.agent, `/data/public/tickets/${await ticketOfHarbor()}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await field(/^Subject/).fill('Written without a network')
    await window.setOffline(true)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('What you entered is kept.').first().waitFor()
    await window.setOffline(false)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Written without a network' }).waitFor()
  })
})

describe('unsaved work', () => {
  const subject = () => field(/^Subject/)
  const question = () => page.getByRole('alertdialog', { name: 'Discard what you entered?' })

  test('is asked for before it is left by a link or the palette, and given up only when told so', async () => {
    await signIn(page, people.agent, '/data/public/tickets')
    // Until the count is there the rows are outlines, which open nothing.
    await page.getByText(/^[\d,]+ rows$/).first().waitFor()
    await rows().nth(2).dblclick()
    await page.waitForURL(/\/data\/public\/tickets\/\d+/)
    const path = new URL(page.url()).pathname
    await page.getByRole('button', { name: 'Open as a page' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await subject().fill('Half a thought')

    await page.getByRole('navigation').getByRole('link', { name: 'Articles', exact: true }).click()
    await question().getByRole('button', { name: 'Cancel' }).click()
    await page.goBack()
    await page.goForward()
    expect(await subject().inputValue()).toBe('Half a thought')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Articles')
    await page.getByRole('dialog').getByText('Articles', { exact: true }).waitFor()
    await page.keyboard.press('Enter')
    await question().getByRole('button', { name: 'Cancel' }).click()
    expect(new URL(page.url()).pathname).toBe(path)
    expect(await subject().inputValue()).toBe('Half a thought')

    await page.getByRole('navigation').getByRole('link', { name: 'Articles', exact: true }).click()
    await question().getByRole('button', { name: 'Discard' }).click()
    await page.waitForURL(/\/data\/public\/articles/)
    await page.goto(path)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    expect(await subject().inputValue()).not.toBe('Half a thought')
  })

  test('closing the panel asks once, and saving asks nothing', async () => {
    await signIn(page, people.agent, `/data/public/tickets/${await ticketOfHarbor()}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await subject().fill('A whole thought')
    await page.keyboard.press('Escape')
    await question().getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'A whole thought' }).waitFor()
    await page.keyboard.press('Escape')
    await page.waitForURL((url) => url.pathname === '/data/public/tickets')
  })

  test('survives a session that ends meanwhile: after signing in again the form is back with what was entered', async () => {
    const id = await ticketOfHarbor()
    await signIn(page, people.agent, `/data/public/tickets/${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await subject().fill('Written before the session ended')

    const auth = (path: string, token: string, body?: unknown) =>
      fetch(`${box.status.API_URL}/auth/v1${path}`, { method: 'POST', headers: { apikey: box.status.PUBLISHABLE_KEY, authorization: `Bearer ${token}`, 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) })
    const elsewhere = (await auth('/token?grant_type=password', box.status.PUBLISHABLE_KEY, people.agent).then((answer) => answer.json())) as { access_token: string }
    await auth('/logout?scope=global', elsewhere.access_token)
    // Past the token's own end: until then it serves.
    await page.clock.setSystemTime(Date.now() + 3_700_000)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.waitForURL(/\/sign-in/)
    await page.clock.setSystemTime(Date.now())

    const address = page.getByLabel('E-mail address')
    await address.or(page.getByLabel('Password', { exact: true })).first().waitFor()
    if (await address.isEditable()) {
      await address.fill(people.agent.email)
      await page.getByRole('button', { name: 'Continue', exact: true }).click()
    }
    await page.getByLabel('Password', { exact: true }).fill(people.agent.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(new RegExp(`/data/public/tickets/${id}`))
    await subject().waitFor()
    expect(await subject().inputValue()).toBe('Written before the session ended')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Written before the session ended' }).waitFor()
  })
})

describe('by keyboard alone', () => {
  test('the palette finds a function of the project, which is called and answers', async () => {
    await signIn(page, people.agent, '/data')
    // The palette finds what the sidebar shows.
    await page.getByRole('navigation').getByRole('link', { name: 'Tickets', exact: true }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('menuitem').first().waitFor()
    await page.keyboard.type('close tick')
    await page.getByRole('dialog').getByRole('menuitem', { name: /^Close ticket/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/call\/public\/close_ticket/)
    await page.getByRole('main').getByRole('textbox', { name: /ticket/i }).focus()
    await page.keyboard.type('999999')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').first().waitFor()
  })

  test('one signs in, opens the tickets, finds one, edits and saves it, and signs out', async () => {
    const keys = page.keyboard
    // What Enter would open: the list is filtered a moment after the last key.
    const chosenInPalette = (name: string) =>
      page.waitForFunction((wanted) => {
        const id = document.activeElement?.getAttribute('aria-activedescendant')
        return id ? document.getElementById(id)?.textContent?.trim().startsWith(wanted) : false
      }, name)
    await page.goto('/sign-in')
    await page.getByLabel('E-mail address').waitFor()
    await keys.type(people.agent.email)
    await keys.press('Enter')
    await page.getByLabel('Password', { exact: true }).waitFor()
    await keys.type(people.agent.password)
    await keys.press('Enter')
    await page.waitForURL((url) => url.pathname.startsWith('/data'))
    await page.getByRole('navigation').first().waitFor()

    await keys.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await keys.type('Tickets')
    await chosenInPalette('Tickets')
    await keys.press('Enter')
    await page.waitForURL(/\/data\/public\/tickets/)
    await page.getByText(/^[\d,]+ rows$/).first().waitFor()
    await rows().nth(3).waitFor()

    const tabUntil = async (isThere: () => Promise<boolean>) => {
      for (let step = 0; step < 60 && !(await isThere()); step++) await keys.press('Tab')
      expect(await isThere()).toBe(true)
    }
    const focusIs = (selector: string) => page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)
    await tabUntil(() => focusIs('[role=gridcell], [role=columnheader], [role=rowheader]'))
    await keys.press('ArrowDown')
    await keys.press('ArrowDown')
    await keys.press('Enter')
    await page.waitForURL(/\/data\/public\/tickets\/\d+/)
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    await tabUntil(() => page.evaluate(() => document.activeElement?.textContent?.trim() === 'Edit'))
    await keys.press('Enter')
    await field(/^Subject/).waitFor()
    await tabUntil(() => page.evaluate(() => document.activeElement instanceof HTMLInputElement && document.activeElement.labels?.[0]?.textContent?.startsWith('Subject') === true))
    await keys.press('Control+a')
    await keys.type('Edited without a mouse')
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'Edited without a mouse' }).waitFor()

    await keys.press('Escape')
    await page.waitForURL((url) => url.pathname === '/data/public/tickets')
    await keys.press('Control+k')
    await page.getByRole('dialog').waitFor()
    await keys.type('Sign out')
    await chosenInPalette('Sign out')
    await keys.press('Enter')
    await page.waitForURL(/\/sign-in/)
  })
})

describe('looks', () => {
  const screens = ['/data', '/data/public/tickets', '/data/public/tickets/12', '/data/public/tickets/new', '/data/public/messages?filter=nothing', '/call/public/close_ticket', '/data/public/no_such_table', '/account', '/account/security']
  test.each(screens)('axe finds nothing at %s, on a desktop and on a phone, light and dark', async (path) => {
    await signIn(page, people.owner, path)
    for (const viewport of [desktop, phone]) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        await page.goto(path)
        await page.getByRole('main').waitFor()
        await page.waitForLoadState('networkidle')
        expect(await axeViolations(page)).toEqual([])
      }
    }
  })

  interface Opened {
    name: string
    path: string
    open: () => Promise<unknown>
    seen: () => Promise<unknown>
  }
  const opened: Opened[] = ([
    ['the filter editor', '/data/public/tickets', () => page.getByRole('button', { name: 'Add filter' }).first().click(), () => page.getByRole('textbox', { name: 'Find a column' }).or(page.getByRole('searchbox', { name: 'Find a column' })).waitFor()],
    ['a picker over the grid', '/data/public/articles/new', () => page.getByRole('combobox', { name: /^Organization/ }).fill('Harbor'), () => page.getByRole('option', { name: /Harbor Coffee/ }).waitFor()],
    ['a picker in a page', '/data/public/tickets/12?page=full', () => page.getByRole('button', { name: 'Edit', exact: true }).click().then(() => page.getByRole('combobox', { name: /^Assignee/ }).fill('a')), () => page.getByRole('listbox').getByRole('option').first().waitFor()],
    ['a column\'s menu', '/data/public/tickets', () => page.getByRole('columnheader', { name: 'Status' }).hover().then(() => page.getByRole('columnheader', { name: 'Status' }).getByRole('button').click()), () => page.getByRole('menuitem').first().waitFor()],
    ['the column chooser', '/data/public/tickets', () => page.getByRole('button', { name: 'Columns' }).click(), () => page.getByRole('dialog', { name: 'Columns' }).waitFor()],
    ['the command palette', '/data/public/tickets', () => page.keyboard.press('Control+k'), () => page.getByRole('dialog').getByRole('menuitem').first().waitFor()],
    ['the question before deleting', '/data/public/tickets/12', () => page.getByRole('dialog').getByRole('button', { name: 'More' }).click().then(() => page.getByRole('menuitem', { name: 'Delete' }).click()), () => page.getByRole('alertdialog').waitFor()],
  ] as const).map(([name, path, open, seen]) => ({ name, path, open, seen }))
  test.each(opened)('axe finds nothing with $name open', async ({ path, open, seen }) => {
    await signIn(page, people.owner, path)
    await page.getByRole('main').waitFor()
    await page.waitForLoadState('networkidle')
    await open()
    await seen()
    // What fades in or out has no contrast to judge.
    const still = () => page.waitForFunction(() => document.getAnimations().length === 0)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await still()
      expect(await axeViolations(page)).toEqual([])
    }
  })
})
