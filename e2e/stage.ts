import { spawn, type ChildProcess } from 'node:child_process'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject } from 'vitest'
import { follow, keepEvidence } from './evidence.ts'

const root = join(import.meta.dirname, '..')

/** What `npm run status -- --json` prints. */
export interface Status {
  API_URL: string
  APP_URL: string
  MAILBOX_URL: string
  PUBLISHABLE_KEY: string
  SECRET_KEY: string
}

export interface Box {
  status: Status
  /** Ends the box without a word, as a power cut does. */
  kill(): Promise<void>
  /** Starts it again over the same data. */
  restart(): Promise<void>
  close(): Promise<void>
}

const say = (child: ChildProcess) => {
  let said = ''
  child.stdout?.on('data', (chunk) => (said += chunk))
  child.stderr?.on('data', (chunk) => (said += chunk))
  return () => said
}

function run(words: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const said = say(child)
    child.once('exit', (code) => (code === 0 ? resolve(said()) : reject(new Error(said()))))
  })
}

async function untilStatus(project: string, child: ChildProcess, said: () => string): Promise<Status> {
  // On a busy machine it may have to be built and to start a database first; whatever ends it is seen at once.
  const until = Date.now() + 150_000
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`The box ended with ${child.exitCode}:\n${said()}`)
    const text = await run(['tools/status.mjs', '--json', '--project', project]).catch(() => '')
    if (text !== '') return JSON.parse(text) as Status
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  throw new Error(`The box did not come up:\n${said()}`)
}

const ended = (child: ChildProcess): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null ? Promise.resolve() : new Promise((resolve) => child.once('exit', () => resolve()))

/**
 * Starts the real command over a fresh copy of the example project.
 *
 * @param prepare changes the copy before the box starts, given its folder
 * @param port where it has to be; any free one unless said otherwise
 */
export async function openBox(prepare?: (project: string) => Promise<void>, port = '0'): Promise<Box> {
  const project = await mkdtemp(join(tmpdir(), 'portico-e2e-'))
  await cp(join(root, 'examples/helpdesk'), project, { recursive: true, filter: (path) => !path.includes('.portico') })
  // A suggestion that comes in an idle moment would come in the middle of journeys about other things; `nudge.test.ts` is about it.
  await writeFile(join(project, 'portico.json'), JSON.stringify({ door: { nudge: false } }))
  await prepare?.(project)
  const start = (port: string) => spawn(process.execPath, ['tools/start.mjs', '--project', project, '--port', port], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  let child = start(port)
  const status = await untilStatus(project, child, say(child))
  return {
    status,
    async kill() {
      child.kill('SIGKILL')
      await ended(child)
    },
    async restart() {
      // Where its people left it: their cookies and tabs know no other address.
      child = start(new URL(status.API_URL).port)
      await untilStatus(project, child, say(child))
    },
    async close() {
      child.kill('SIGINT')
      await ended(child)
      await rm(project, { recursive: true, force: true })
    },
  }
}

export const openBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: inject('chromium'),
    args: ['--no-sandbox', '--disable-quic', '--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'],
  })

/** A port nobody listens at, for a box whose settings have to name it before it starts. */
export async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

export const desktop = { width: 1440, height: 900 }
export const phone = { width: 390, height: 844 }

/** A window of a person of their own: nothing is shared with other windows but the box. */
export async function openWindow(browser: Browser, baseURL: string, viewport = desktop): Promise<BrowserContext> {
  const window = await browser.newContext({ baseURL, viewport, locale: 'en-GB', timezoneId: 'Europe/Lisbon', reducedMotion: 'reduce', ...(viewport === phone ? { hasTouch: true, isMobile: true } : {}) })
  window.setDefaultTimeout(20_000)
  follow(window)
  return window
}

/** Collects what must never appear: page errors, console errors and refusals by the content security policy. */
export function watchForFaults(page: Page, faults: string[] = []): string[] {
  page.on('pageerror', (error) => faults.push(`page error: ${error.message}`))
  page.on('console', (message) => {
    // The browser itself writes a line for every 4xx answer and every socket that does not open; those are the journeys' own business.
    if (message.type() === 'error' && !/^(Failed to load resource|WebSocket connection to)/.test(message.text())) faults.push(`console: ${message.text()}`)
  })
  return faults
}

// What the journeys of one file play on, set by `setStage` and `openPage`.
export let box: Box
export let browser: Browser
export let window: BrowserContext
export let page: Page
// What must never appear and did, on the pages of this test.
const faults: string[] = []

interface Stage {
  /** Changes the box's project before it starts, given its folder. */
  prepare?: ((project: string) => Promise<void>) | undefined
  /** Where the box has to be; any free port unless said otherwise. */
  port?: string | undefined
  /** Where pages are opened: the box's own address unless said otherwise. */
  appUrl?: (() => string) | undefined
}

let whereFrom = () => box.status.APP_URL

/** For the journeys of one file: a box and a browser, and for each test a page in a window of its own. */
export function setStage({ prepare, port, appUrl }: Stage = {}): void {
  if (appUrl) whereFrom = appUrl
  beforeAll(async () => {
    ;[box, browser] = await Promise.all([openBox(prepare, port), openBrowser()])
  })
  afterAll(async () => {
    await browser?.close()
    await box?.close()
  })
  beforeEach(() => openPage())
  afterEach(endTest)
}

/** Closes every window of a test; keeps what they showed where the test failed. */
export async function endTest({ task }: { task: Parameters<typeof keepEvidence>[0] }): Promise<void> {
  const expected = forgiven.splice(0)
  const seen = faults.splice(0).filter((fault) => !expected.some((one) => one.test(fault)))
  if (task.result?.state === 'fail' || seen.length > 0) await keepEvidence(task, browser)
  await Promise.all(browser.contexts().map((open) => open.close()))
  expect(seen).toEqual([])
}

/** Opens a window of its own for `page`, in place of the one before. */
export async function openPage(viewport = desktop, url = whereFrom()): Promise<void> {
  page = await newPage(viewport, url)
  window = page.context()
}

/** A page in a window of its own, as another person's computer; faults are watched for there too. */
export async function newPage(viewport = desktop, url = whereFrom()): Promise<Page> {
  const tab = await (await openWindow(browser, url, viewport)).newPage()
  watchForFaults(tab, faults)
  return tab
}

const forgiven: RegExp[] = []

/** For faults that a test brings about on purpose, also for those the browser has yet to tell of. */
export const forgive = (expected: RegExp): void => void forgiven.push(expected)

/** The newest mail to an address; waits for it. */
export async function newestMail(status: Status, to: string, after = 0): Promise<{ id: string; subject: string; html: string; text: string; createdAt: number }> {
  const until = Date.now() + 20_000
  while (Date.now() < until) {
    const list = (await fetch(`${status.MAILBOX_URL}/api/v1/messages`).then((answer) => answer.json())) as { messages: { ID: string; Created: string; To: { Address: string }[] }[] }
    const found = list.messages.find((mail) => mail.To.some((address) => address.Address === to) && Date.parse(mail.Created) > after)
    if (found) {
      const whole = (await fetch(`${status.MAILBOX_URL}/api/v1/message/${found.ID}`).then((answer) => answer.json())) as { Subject: string; HTML: string; Text: string }
      return { id: found.ID, subject: whole.Subject, html: whole.HTML, text: whole.Text, createdAt: Date.parse(found.Created) }
    }
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  throw new Error(`No mail came for ${to}`)
}

/** The first link of a mail that leads to the app. */
export const linkIn = (mail: { html: string }, appUrl: string): string => {
  const link = [...mail.html.matchAll(/href="([^"]+)"/g)].map((match) => (match[1] ?? '').replaceAll('&amp;', '&')).find((href) => href.startsWith(appUrl))
  if (!link) throw new Error(`No link to ${appUrl} in the mail:\n${mail.html}`)
  return link
}

export const codeIn = (mail: { text: string }): string => {
  const code = /\b(\d{6})\b/.exec(mail.text.replace(/(\d{3}) (\d{3})/, '$1$2'))?.[1]
  if (!code) throw new Error(`No code in the mail:\n${mail.text}`)
  return code
}
