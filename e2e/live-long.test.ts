import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { people, signIn } from './people.ts'
import { openBox, openBrowser, openWindow, watchForFaults, type Box } from './stage.ts'

let box: Box
let browser: Browser
beforeAll(async () => {
  ;[box, browser] = await Promise.all([openBox(), openBrowser()])
})
afterAll(async () => {
  await browser?.close()
  await box?.close()
})

const opened: { window: BrowserContext; faults: string[] }[] = []
afterEach(async () => {
  for (const { window, faults } of opened.splice(0)) {
    expect(faults).toEqual([])
    await window.close()
  }
})

interface Frame {
  isSent: boolean
  topic: string
  event: string
  payload: Record<string, unknown>
}

function readFrame(isSent: boolean, text: string): Frame[] {
  try {
    const [, , topic, event, payload] = JSON.parse(text) as [unknown, unknown, string, string, Record<string, unknown>]
    return [{ isSent, topic, event, payload }]
  } catch {
    // Broadcasts are bytes.
    return []
  }
}

/** A page whose clock can be put forward, signed in at the tickets and told of their changes; and what goes over its socket. */
async function openTickets(): Promise<{ page: Page; frames: Frame[] }> {
  const window = await openWindow(browser, box.status.APP_URL)
  const page = await window.newPage()
  opened.push({ window, faults: watchForFaults(page) })
  const frames: Frame[] = []
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => void frames.push(...readFrame(true, String(payload))))
    socket.on('framereceived', ({ payload }) => void frames.push(...readFrame(false, String(payload))))
  })
  await page.clock.install()
  await signIn(page, people.owner, '/data/public/tickets')
  await page.getByRole('button', { name: 'Live', exact: true }).waitFor()
  return { page, frames }
}

async function until(holds: () => boolean, what: string): Promise<void> {
  const patience = Date.now() + 60_000
  while (!holds()) {
    if (Date.now() > patience) throw new Error(`waited in vain: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

/** A request past the policies, as somebody else's program would make it. */
const asService = (path: string, method: string, body?: unknown) =>
  fetch(`${box.status.API_URL}/rest/v1${path}`, {
    method,
    headers: { apikey: box.status.SECRET_KEY, 'content-type': 'application/json', prefer: 'return=representation' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  }).then((answer) => answer.json() as Promise<Record<string, unknown>[]>)

const harbor = 'a0000000-0000-4000-8000-000000000001'

async function newTicket(subject: string): Promise<number> {
  const [someone] = await asService(`/tickets?select=requester_id&organization_id=eq.${harbor}&limit=1`, 'GET')
  const [ticket] = await asService('/tickets', 'POST', { organization_id: harbor, requester_id: someone?.['requester_id'], subject })
  return Number(ticket?.['id'])
}

const rename = (id: number, subject: string) => asService(`/tickets?id=eq.${id}`, 'PATCH', { subject })
const rowOf = (page: Page, subject: string) => page.getByRole('grid').getByRole('row').filter({ hasText: subject })

/** What a browser says of a tab that goes behind another or comes back. */
const show = (page: Page, state: 'hidden' | 'visible') =>
  page.evaluate((next) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => next })
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => next === 'hidden' })
    document.dispatchEvent(new Event('visibilitychange'))
  }, state)

/** Topics of rows' changes that are joined and not left, by what was sent. Where one meets others it may first have to try another place. */
function joinedTopics(frames: readonly Frame[]): string[] {
  const topics = new Set<string>()
  for (const { isSent, topic, event } of frames) {
    if (!topic.startsWith('realtime:portico:changes:')) continue
    if (isSent && event === 'phx_join') topics.add(topic)
    if (isSent && event === 'phx_leave') topics.delete(topic)
  }
  return [...topics]
}

test('a tab that stays hidden leaves its channels, and knows what it missed when it is looked at again', async () => {
  const id = await newTicket('Seen before')
  const { page, frames } = await openTickets()
  await rowOf(page, 'Seen before').waitFor()
  const held = joinedTopics(frames)
  expect(held.length).toBeGreaterThan(0)

  // Behind for a moment: nothing is left.
  await show(page, 'hidden')
  await page.clock.fastForward('02:00')
  await show(page, 'visible')
  await page.clock.fastForward('04:00')
  await rename(id, 'Changed meanwhile')
  await rowOf(page, 'Changed meanwhile').waitFor()
  expect(joinedTopics(frames)).toEqual(held)

  await show(page, 'hidden')
  await page.clock.fastForward('05:01')
  await until(() => joinedTopics(frames).length === 0, 'the channels are left')
  const heardBefore = frames.filter(({ isSent, event }) => !isSent && event === 'postgres_changes').length
  await rename(id, 'Changed behind its back')

  await show(page, 'visible')
  await rowOf(page, 'Changed behind its back').waitFor()
  await page.getByRole('button', { name: 'Live', exact: true }).waitFor()
  await until(() => held.every((topic) => joinedTopics(frames).includes(topic)), 'the channels are joined again')
  // It was read, not heard: nobody was there to hear it.
  expect(frames.filter(({ isSent, event }) => !isSent && event === 'postgres_changes')).toHaveLength(heardBefore)
  await rename(id, 'Heard again')
  await rowOf(page, 'Heard again').waitFor()
}, 240_000)

test('before its hour is over each channel is given the new token, and none is joined anew', async () => {
  const id = await newTicket('At first')
  const { page, frames } = await openTickets()
  await rowOf(page, 'At first').waitFor()
  const held = joinedTopics(frames)
  const joins = () => frames.filter(({ isSent, event, topic }) => isSent && event === 'phx_join' && held.includes(topic)).length
  const tokens = (topic: string) => new Set(frames.filter((frame) => frame.isSent && frame.topic === topic && frame.event === 'access_token').map(({ payload }) => payload['access_token']))
  const joinsBefore = joins()
  const before = new Map(held.map((topic) => [topic, tokens(topic).size]))
  // Some two minutes are left of it, and as much of what the server gives next: its own clock has not moved.
  await page.clock.fastForward('58:00')
  await until(() => held.every((topic) => tokens(topic).size > (before.get(topic) ?? 0)), 'every channel has the new token')
  await rename(id, 'After an hour')
  await rowOf(page, 'After an hour').waitFor()
  expect(joins()).toBe(joinsBefore)
  expect(frames.filter(({ isSent, event, topic }) => !isSent && held.includes(topic) && (event === 'phx_close' || event === 'phx_error'))).toEqual([])
  await page.getByRole('button', { name: 'Live', exact: true }).waitFor()
}, 240_000)
