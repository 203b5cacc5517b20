import { describe, expect, test } from 'vitest'
import type { Locator, Page } from 'playwright-core'
import { axeViolations } from './axe.ts'
import { people, signIn } from './people.ts'
import { newPage, page, phone, setStage } from './stage.ts'
import { asService, harbor } from './tickets.ts'

setStage()
const byStatus = '/data/public/tickets?board=status'

/** A ticket that stands first in its column. */
async function newTicket(subject: string, values: Record<string, unknown> = {}): Promise<number> {
  const [someone] = await asService(`/members?select=id&organization_id=eq.${harbor}&email=eq.${people.customer.email}`, 'GET')
  const [ticket] = await asService('/tickets', 'POST', { organization_id: harbor, requester_id: someone?.['id'], subject, ...values })
  return Number(ticket?.['id'])
}

const statusOf = async (id: number) => (await asService(`/tickets?select=status&id=eq.${id}`, 'GET'))[0]?.['status']
const column = (name: string, tab: Page = page): Locator => tab.getByRole('region', { name, exact: true })
const card = (subject: string, within: Locator | Page = page): Locator => within.locator('[data-card]').filter({ hasText: subject })
const isLive = (tab: Page = page) => tab.getByRole('button', { name: 'Live', exact: true }).waitFor()
const countOf = async (name: string, tab: Page = page) => Number.parseInt((await column(name, tab).locator('header').getByText(/cards?$/).textContent()) ?? '')

describe('a board', () => {
  test('is offered beside the grid, counts exactly, and comes back from its address', async () => {
    await signIn(page, people.agent, '/data/public/tickets')
    await page.getByRole('grid').waitFor()
    await page.getByText('Board', { exact: true }).click()
    await page.waitForURL(/board=status/)
    await column('open').locator('[data-card]').first().waitFor()
    expect(await page.getByRole('grid').count()).toBe(0)
    const all = await asService(`/tickets?select=id&organization_id=eq.${harbor}&status=eq.pending`, 'GET')
    await expect.poll(() => countOf('pending')).toBe(all.length)

    await page.getByLabel('Sort by').selectOption('subject')
    await page.getByRole('searchbox').fill('Wholesale')
    await page.waitForURL(/search=Wholesale/)
    await page.reload()
    await column('open').locator('[data-card]').first().waitFor()
    expect(await page.getByLabel('Sort by').inputValue()).toBe('subject')
    expect(await page.getByLabel('Group by').inputValue()).toBe('status')
    expect(new Set(await column('open').locator('[data-card] a').allTextContents())).toEqual(new Set(['Wholesale price list']))

    await page.getByLabel('Group by').selectOption('priority')
    await column('urgent').waitFor()
    expect(new URL(page.url()).searchParams.get('board')).toBe('priority')
    await page.getByText('Grid', { exact: true }).click()
    await page.getByRole('grid').waitFor()
  })

  test('reads a long column on as one scrolls', async () => {
    await signIn(page, people.agent, byStatus)
    const list = column('solved').getByRole('list')
    await list.locator('[data-card]').first().waitFor()
    const before = await list.locator('[data-card]').count()
    await list.evaluate((element) => element.scrollTo(0, element.scrollHeight))
    await expect.poll(() => list.locator('[data-card]').count()).toBeGreaterThan(before)
    const titles = await list.locator('[data-card]').evaluateAll((cards) => cards.map((one) => one.getAttribute('data-card')))
    expect(new Set(titles).size).toBe(titles.length)
  })

  test('shows one person what another drags, and lets it be taken back', async () => {
    const id = await newTicket('Dragged from hand to hand')
    const other = await newPage()
    await Promise.all([signIn(page, people.agent, byStatus), signIn(other, people.owner, byStatus)])
    await Promise.all([isLive(), isLive(other), card('Dragged from hand to hand').waitFor(), card('Dragged from hand to hand', other).waitFor()])
    const [solved, theirs] = [await countOf('solved'), await countOf('solved', other)]

    await card('Dragged from hand to hand').dragTo(column('solved').getByRole('list'))
    await card('Dragged from hand to hand', column('solved')).waitFor()
    // It goes by itself, but not from under the pointer.
    await page.getByRole('button', { name: 'Undo' }).hover()
    await expect.poll(() => statusOf(id)).toBe('solved')
    await expect.poll(() => countOf('solved')).toBe(solved + 1)
    await card('Dragged from hand to hand', column('solved', other)).waitFor()
    await expect.poll(() => countOf('solved', other)).toBe(theirs + 1)

    await page.getByRole('button', { name: 'Undo' }).click()
    await card('Dragged from hand to hand', column('open')).waitFor()
    await expect.poll(() => statusOf(id)).toBe('open')
    await card('Dragged from hand to hand', column('open', other)).waitFor()
  })

  test('shows a record that comes and one that goes, but nothing under the pointer', async () => {
    await signIn(page, people.agent, byStatus)
    await isLive()
    await column('open').locator('[data-card]').first().waitFor()
    const id = await newTicket('Comes by itself')
    await card('Comes by itself', column('open')).waitFor()
    await column('open').hover()
    await newTicket('Waits for the pointer')
    await column('open').getByRole('button', { name: '1 change' }).waitFor()
    expect(await card('Waits for the pointer').count()).toBe(0)
    await page.getByRole('heading', { name: 'Tickets' }).hover()
    await card('Waits for the pointer', column('open')).waitFor()
    await asService(`/tickets?id=eq.${id}`, 'DELETE')
    await expect.poll(() => card('Comes by itself').count()).toBe(0)
  })

  test('is worked by keys alone', async () => {
    const id = await newTicket('Moved without a mouse')
    await signIn(page, people.agent, byStatus)
    const own = card('Moved without a mouse').getByRole('link')
    await own.waitFor()
    await own.focus()
    await page.keyboard.press('ArrowDown')
    expect(await own.evaluate((link) => link === document.activeElement)).toBe(false)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Home')
    expect(await own.evaluate((link) => link === document.activeElement)).toBe(true)

    await page.keyboard.press('Space')
    await page.getByText('Moved without a mouse picked up from open.').waitFor({ state: 'attached' })
    await page.keyboard.press('ArrowRight')
    await page.getByText(/^pending, \d+ cards$/).and(page.locator('[aria-live] *')).waitFor({ state: 'attached' })
    await page.keyboard.press('Escape')
    expect(await statusOf(id)).toBe('open')
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Space')
    await card('Moved without a mouse', column('pending')).waitFor()
    await expect.poll(() => statusOf(id)).toBe('pending')
    await expect.poll(() => own.evaluate((link) => link === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForURL(new RegExp(`/tickets/${id}\\?board=status`))
    await page.getByRole('dialog').waitFor()
  })

  test('puts a refused card back and says why on it, and tells when somebody else was faster', async () => {
    const [refused, raced] = [await newTicket('Kept by a rule'), await newTicket('Somebody is faster')]
    await signIn(page, people.agent, byStatus)
    await card('Kept by a rule').waitFor()
    // A rule of the project, as the policies would be: nothing is changed and nothing fails.
    await page.route(new RegExp(`/rest/v1/tickets\\?.*id=eq\\.${refused}`), (route) => (route.request().method() === 'PATCH' ? route.fulfill({ status: 200, contentType: 'application/json', body: '[]', headers: { 'access-control-allow-origin': '*' } }) : route.continue()))
    await card('Kept by a rule').dragTo(column('pending').getByRole('list'))
    await card('Kept by a rule', column('open')).getByRole('alert').getByText('The policies of this project do not let you make this change.').waitFor()
    expect(await statusOf(refused)).toBe('open')
    await card('Kept by a rule').getByRole('button', { name: 'Close' }).click()
    expect(await page.getByRole('alert').count()).toBe(0)

    await page.route(new RegExp(`/rest/v1/tickets\\?.*id=eq\\.${raced}`), async (route) => {
      if (route.request().method() === 'PATCH' && (await statusOf(raced)) === 'open') await asService(`/tickets?id=eq.${raced}`, 'PATCH', { status: 'closed' })
      await route.continue()
    })
    await card('Somebody is faster').dragTo(column('pending').getByRole('list'))
    await card('Somebody is faster', column('closed')).getByText('Somebody moved this to closed meanwhile.').waitFor()
    await card('Somebody is faster').getByRole('button', { name: 'Move to pending' }).click()
    await card('Somebody is faster', column('pending')).waitFor()
    await expect.poll(() => statusOf(raced)).toBe('pending')
  })

  test('offers no move where the role may not change the column, and presets the column of a new record', async () => {
    await signIn(page, people.agent, '/data/public/messages?board=is_internal')
    await page.locator('[data-card]').first().waitFor()
    await page.getByText('You can look at this board, but not move its cards.').waitFor()
    expect(await page.locator('[data-card][draggable="true"]').count()).toBe(0)

    await page.goto(byStatus)
    await column('on_hold').getByRole('link', { name: 'New record in on_hold' }).click()
    await page.waitForURL(/set\.status=on_hold/)
    await expect.poll(() => page.getByRole('dialog').getByLabel('Status').inputValue()).toBe('on_hold')
  })

  test('works on a phone: one column at a time, a way to jump, moves by the menu', async () => {
    const id = await newTicket('Moved with a thumb')
    const hand = await newPage(phone)
    await signIn(hand, people.agent, byStatus)
    await card('Moved with a thumb', hand).waitFor()
    expect(await hand.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await card('Moved with a thumb', hand).getByRole('button', { name: 'Move Moved with a thumb' }).tap()
    await hand.getByRole('menuitemradio', { name: 'closed' }).tap()
    await expect.poll(() => statusOf(id)).toBe('closed')
    await hand.getByRole('navigation', { name: 'Columns' }).getByRole('button', { name: 'closed' }).tap()
    await expect.poll(async () => (await column('closed', hand).boundingBox())?.x ?? 999).toBeLessThan(60)
    await card('Moved with a thumb', column('closed', hand)).waitFor()
    expect(await axeViolations(hand)).toEqual([])
  })

  test.each(['light', 'dark'] as const)('has nothing axe finds fault with in %s', async (colorScheme) => {
    await page.emulateMedia({ colorScheme })
    await signIn(page, people.agent, byStatus)
    await column('solved').locator('[data-card]').first().waitFor()
    await isLive()
    expect(await axeViolations(page)).toEqual([])
  })
})
