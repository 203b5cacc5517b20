import { beforeEach, describe, expect, test } from 'vitest'
import type { Page } from 'playwright-core'
import { axeViolations } from './axe.ts'
import { people, signIn } from './people.ts'
import { box, newPage, page, phone, setStage } from './stage.ts'
import { asService, harbor, newTicket } from './tickets.ts'

setStage()
const change = (id: number, values: Record<string, unknown>) => asService(`/tickets?id=eq.${id}`, 'PATCH', values)
const grid = (tab: Page = page) => tab.getByRole('grid')
const rowOf = (subject: string, tab: Page = page) => grid(tab).getByRole('row').filter({ hasText: subject })
const isLive = (tab: Page = page) => tab.getByRole('button', { name: 'Live', exact: true }).waitFor()
const total = async (tab: Page = page) => Number((await tab.getByText(/^[\d,]+ rows?$/).first().innerText()).replace(/\D/g, ''))

/** Whether the table's changes are told by now; seen in the grid behind, or in what the page heard. */
async function joined(tab: Page, table: string): Promise<boolean> {
  return heard.get(tab)?.some((frame) => frame.includes('Subscribed to PostgreSQL') && frame.includes(table)) ?? false
}

/** What came over a page's socket. */
const heard = new WeakMap<Page, string[]>()
const followSockets = (tab: Page) => {
  const frames: string[] = []
  heard.set(tab, frames)
  tab.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => void frames.push(String(payload)))
    socket.on('framesent', ({ payload }) => void frames.push(`sent ${String(payload)}`))
  })
  return frames
}
beforeEach(() => void followSockets(page))

let count = 0
/** A subject no other ticket has. */
const subject = (word: string) => `${word} ${(count += 1)} of ${process.pid}`

describe('a table others work in', () => {
  test('a changed row is changed in place, and nothing moves', async () => {
    const [before, after] = [subject('Old'), subject('New')]
    const id = await newTicket({ subject: before })
    await signIn(page, people.owner, '/data/public/tickets')
    await rowOf(before).waitFor()
    await isLive()
    await change(id, { subject: after, priority: 'urgent' })
    await rowOf(after).getByText('urgent').waitFor()
    expect(await page.getByText(/new row|have changed/).count()).toBe(0)
  })

  test('what one person saves, the other sees without a reload', async () => {
    const [before, after] = [subject('Their old'), subject('Their new')]
    const id = await newTicket({ subject: before })
    const other = await newPage()
    await signIn(page, people.owner, '/data/public/tickets')
    await isLive()
    await signIn(other, people.agent, `/data/public/tickets/${id}`)
    await other.getByRole('button', { name: 'Edit', exact: true }).click()
    await other.getByRole('textbox', { name: /^Subject/ }).fill(after)
    await other.getByRole('button', { name: 'Save' }).click()
    await rowOf(after).waitFor()
    // What one did oneself is no news.
    expect(await other.getByText(/new row|have changed|just now/).count()).toBe(0)
  })

  test('new rows are announced, counted, and shown when one wants to see them', async () => {
    await signIn(page, people.owner, '/data/public/tickets')
    await isLive()
    const before = await total()
    const first = await grid().getByRole('row').nth(1).innerText()
    const [one, two] = [subject('First'), subject('Second')]
    await newTicket({ subject: one })
    await newTicket({ subject: two })
    const pill = page.getByRole('button', { name: /^2 new rows/ })
    await pill.waitFor()
    expect(await total()).toBe(before + 2)
    expect(await grid().getByRole('row').nth(1).innerText()).toBe(first)
    await pill.click()
    await rowOf(two).waitFor()
    await rowOf(one).waitFor()
    expect(await total()).toBe(before + 2)
    await pill.waitFor({ state: 'detached' })
  })

  test('a deleted row is struck out, and then gone; the total with it', async () => {
    const gone = subject('Short-lived')
    const id = await newTicket({ subject: gone })
    await signIn(page, people.owner, '/data/public/tickets')
    await rowOf(gone).waitFor()
    await isLive()
    const before = await total()
    await asService(`/tickets?id=eq.${id}`, 'DELETE')
    await rowOf(gone).waitFor({ state: 'detached' })
    await expect.poll(() => total()).toBe(before - 1)
    const places = await grid().getByRole('row').evaluateAll((rows) => rows.map((row) => Number(row.getAttribute('aria-rowindex'))))
    expect(places.slice(0, 5)).toEqual([1, 2, 3, 4, 5])
  })

  test('the filter holds: what no longer fits leaves, what fits now is announced', async () => {
    const [leaving, coming] = [subject('Leaving'), subject('Coming')]
    const mark = `live-${process.pid}`
    const [from, to] = [await newTicket({ subject: leaving, tags: [mark], status: 'open' }), await newTicket({ subject: coming, tags: [mark], status: 'solved' })]
    await signIn(page, people.owner, `/data/public/tickets?search=${encodeURIComponent(String(process.pid))}&where=status~in~open`)
    await rowOf(leaving).waitFor()
    await isLive()
    expect(await rowOf(coming).count()).toBe(0)
    await change(from, { status: 'solved' })
    await rowOf(leaving).waitFor({ state: 'detached' })
    await change(to, { status: 'open' })
    await page.getByRole('button', { name: /^1 new row/ }).click()
    await rowOf(coming).waitFor()
  })

  test('a table the project does not send is not live, and no error says so', async () => {
    await signIn(page, people.owner, '/data/public/members')
    await grid().getByRole('row').nth(1).waitFor()
    const state = page.getByRole('button', { name: 'Not live', exact: true })
    await state.click()
    await page.getByText('The project does not send changes of this table.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
  })

  test('on a phone the list follows too', async () => {
    const narrow = await newPage(phone)
    const [before, after] = [subject('Small old'), subject('Small new')]
    const id = await newTicket({ subject: before })
    await signIn(narrow, people.owner, '/data/public/tickets')
    await narrow.getByText(before).waitFor()
    await isLive(narrow)
    await change(id, { subject: after })
    await narrow.getByText(after).waitFor()
    await newTicket({ subject: subject('Small') })
    await narrow.getByRole('button', { name: /^1 new row/ }).waitFor()
    expect(await axeViolations(narrow)).toEqual([])
    expect(await narrow.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
  })
})

describe('a record others work at', () => {
  test('follows while one reads it, with what belongs to it', async () => {
    const [before, after] = [subject('Read old'), subject('Read new')]
    const id = await newTicket({ subject: before })
    await signIn(page, people.owner, `/data/public/tickets/${id}?page=full`)
    await page.getByRole('heading', { name: before }).waitFor()
    await expect.poll(() => joined(page, 'tickets')).toBe(true)
    await change(id, { subject: after })
    await page.getByRole('heading', { name: after }).waitFor()
    const [author] = await asService(`/members?select=id&organization_id=eq.${harbor}&limit=1`, 'GET')
    const body = subject('An answer')
    await asService('/messages', 'POST', { ticket_id: id, author_id: author?.['id'], body })
    await page.getByText(body).waitFor()
  })

  test('shows in fields nobody has typed in, asks where somebody has, and overwrites nothing', async () => {
    const before = subject('Typed')
    const id = await newTicket({ subject: before, priority: 'normal' })
    await signIn(page, people.owner, `/data/public/tickets/${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const field = page.getByRole('textbox', { name: /^Subject/ })
    const mine = subject('Mine')
    await field.fill(mine)
    await expect.poll(() => joined(page, 'tickets')).toBe(true)
    await change(id, { priority: 'urgent' })
    await page.getByText('Changed by someone else just now: Priority.').waitFor()
    expect(await page.getByRole('dialog').getByLabel(/^Priority/).inputValue()).toBe('urgent')
    expect(await field.inputValue()).toBe(mine)
    await page.getByText('1 field changed').waitFor()

    const theirs = subject('Theirs')
    await change(id, { subject: theirs })
    await page.getByText('Somebody changed the same fields meanwhile').waitFor()
    expect(await field.inputValue()).toBe(mine)
    await page.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: mine }).waitFor()
    const [saved] = await asService(`/tickets?id=eq.${id}&select=subject,priority`, 'GET')
    expect(saved).toEqual({ subject: mine, priority: 'urgent' })
  })

  test('theirs is taken over when one wants that', async () => {
    const id = await newTicket({ subject: subject('Given up') })
    await signIn(page, people.owner, `/data/public/tickets/${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const field = page.getByRole('textbox', { name: /^Subject/ })
    await field.fill('Mine')
    await expect.poll(() => joined(page, 'tickets')).toBe(true)
    const theirs = subject('Better')
    await change(id, { subject: theirs })
    await page.getByRole('button', { name: 'Take theirs' }).click()
    await expect.poll(() => field.inputValue()).toBe(theirs)
    expect(await page.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true)
  })

  test('says that it was deleted, and keeps what one has typed', async () => {
    const id = await newTicket({ subject: subject('Doomed') })
    await signIn(page, people.owner, `/data/public/tickets/${id}`)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('textbox', { name: /^Subject/ }).fill('Not lost')
    await expect.poll(() => joined(page, 'tickets')).toBe(true)
    await asService(`/tickets?id=eq.${id}`, 'DELETE')
    await page.getByText('Somebody has just deleted this record').waitFor()
    expect(await page.getByRole('textbox', { name: /^Subject/ }).inputValue()).toBe('Not lost')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This record is no longer there').waitFor()
  })
})

describe('people', () => {
  test('see who else is at a table and who edits what, by name alone', async () => {
    const title = subject('Together')
    const id = await newTicket({ subject: title })
    const other = await newPage()
    const said = followSockets(other)
    await signIn(page, people.owner, '/data/public/tickets')
    await signIn(other, people.agent, `/data/public/tickets/${id}`)
    await page.getByRole('button', { name: 'Also here: Jonas Lindqvist' }).click()
    await page.getByRole('listitem').filter({ hasText: 'Jonas Lindqvist' }).waitFor()
    await page.keyboard.press('Escape')
    await rowOf(title).getByRole('img', { name: 'Jonas Lindqvist is looking at this' }).waitFor({ timeout: 40_000 })
    await other.getByRole('button', { name: 'Edit', exact: true }).click()
    await rowOf(title).getByRole('img', { name: 'Jonas Lindqvist is editing' }).waitFor({ timeout: 40_000 })
    await page.goto(`/data/public/tickets/${id}?page=full`)
    await page.getByRole('img', { name: 'Jonas Lindqvist is editing' }).waitFor({ timeout: 40_000 })
    // Neither address nor key went over a channel anyone may join.
    const presence = said.filter((frame) => frame.includes('"presence"') && frame.includes('track'))
    expect(presence.length).toBeGreaterThan(0)
    expect(presence.filter((frame) => frame.includes('@') || frame.includes(`"${id}"`))).toEqual([])
    await other.close()
    await page.getByRole('img', { name: 'Jonas Lindqvist is editing' }).waitFor({ state: 'detached', timeout: 40_000 })
  })

  test('are told nothing where the operator does not want it', async () => {
    await page.route('**/portico.json', async (route) => {
      const answer = await route.fetch()
      await route.fulfill({ response: answer, json: { ...(await answer.json()) as object, presence: false } })
    })
    await signIn(page, people.owner, '/data/public/tickets')
    await isLive()
    expect(heard.get(page)?.filter((frame) => frame.includes('portico:people')) ?? []).toEqual([])
  })

  test('who leave take their channels along', async () => {
    let open = 0
    page.on('websocket', (socket) => {
      open += 1
      socket.on('close', () => (open -= 1))
    })
    await signIn(page, people.owner, '/data/public/tickets')
    await isLive()
    expect(open).toBeGreaterThan(0)
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.waitForURL((url) => url.pathname.startsWith('/sign-in'))
    const left = () => (heard.get(page) ?? []).filter((frame) => frame.startsWith('sent') && frame.includes('phx_leave')).length
    await expect.poll(() => open === 0 || left() > 0).toBe(true)
  })
})

describe('a project without realtime', () => {
  test('is used as before: rows are there, nothing is said but that they are not live', async () => {
    await page.routeWebSocket(/realtime/, (socket) => void socket.close({ code: 1011 }))
    await signIn(page, people.owner, '/data/public/tickets')
    await grid().getByRole('row').nth(3).waitFor()
    await page.getByRole('button', { name: 'Not live just now' }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await page.getByText('You are offline').count()).toBe(0)
  })
})

describe('a box that ends in the middle', () => {
  test('the page recovers by itself, and catches up on what it missed', async () => {
    const [before, after] = [subject('Before the end'), subject('After the end')]
    const id = await newTicket({ subject: before })
    await signIn(page, people.owner, '/data/public/tickets')
    await rowOf(before).waitFor()
    await isLive()
    await box.kill()
    await page.getByRole('button', { name: 'Not live just now' }).waitFor()
    await page.getByText('You are offline').waitFor()
    await box.restart()
    await change(id, { subject: after })
    const missed = subject('Missed')
    await newTicket({ subject: missed })
    await page.getByRole('button', { name: 'Live', exact: true }).waitFor({ timeout: 60_000 })
    await rowOf(after).waitFor({ timeout: 30_000 })
    await page.getByText('You are offline').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: /^1 new row/ }).click()
    await rowOf(missed).waitFor()
  })
})
