import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { axeViolations } from './axe.ts'
import { people, signIn } from './people.ts'
import { openBox, openBrowser, openWindow, phone, watchForFaults, type Box } from './stage.ts'

let box: Box
let browser: Browser
let folder: string
beforeAll(async () => {
  ;[box, browser, folder] = await Promise.all([openBox(), openBrowser(), mkdtemp(join(tmpdir(), 'portico-files-'))])
})
afterAll(async () => {
  await browser?.close()
  await box?.close()
  await rm(folder, { recursive: true, force: true })
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

const row = (name: string) => page.getByRole('row', { name, exact: true })
const filePicker = () => page.locator('input[type=file][multiple]')
const tray = () => page.getByRole('region', { name: /upload/i })
const dialog = () => page.getByRole('dialog').or(page.getByRole('alertdialog'))

/** A file on the person's machine. */
async function localFile(name: string, content: string | Buffer): Promise<string> {
  const path = join(folder, name)
  await mkdir(join(path, '..'), { recursive: true })
  await writeFile(path, content)
  return path
}

/** A request past the policies, as the project's owner could make it. */
const asService = (path: string, method: string, { body, type = 'application/json' }: { body?: string | Buffer; type?: string } = {}) =>
  fetch(`${box.status.API_URL}/storage/v1${path}`, {
    method,
    headers: { apikey: box.status.SECRET_KEY, authorization: `Bearer ${box.status.SECRET_KEY}`, 'content-type': type },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
  })

const put = async (path: string, content: string | Buffer, type = 'text/plain') => expect((await asService(`/object/${path}`, 'PUT', { body: content, type })).status).toBe(200)
const stored = async (path: string) => Buffer.from(await (await asService(`/object/authenticated/${path}`, 'GET')).arrayBuffer())
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('looking around', () => {
  test('by keys alone: into a folder, up again to the row one came from, a preview and back to the list', async () => {
    await signIn(page, people.customer, '/files')
    await page.getByRole('link', { name: /^handbook/ }).press('Enter')
    await row('machines').waitFor()
    await row('brand').focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await row('descaling.md').waitFor()
    expect(page.url()).toContain('in=machines')
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'descaling.md')
    await page.keyboard.press('Space')
    await page.getByRole('dialog', { name: 'descaling.md' }).getByText('Fill the tank with one litre').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('dialog', { name: 'error-codes.json' }).getByText('Grinder blocked').waitFor()
    const address = page.url()
    await page.goto(address)
    await page.getByRole('dialog', { name: 'error-codes.json' }).getByText('Grinder blocked').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await row('descaling.md').focus()
    await page.keyboard.press('Backspace')
    await row('welcome.md').waitFor()
    await page.waitForFunction(() => document.activeElement?.getAttribute('aria-label') === 'machines')
  })

  test('thousands of files come by scrolling, and names are found', async () => {
    const names = Array.from({ length: 1300 }, (_, index) => `many/file-${String(index).padStart(4, '0')}.txt`)
    for (let start = 0; start < names.length; start += 50) await Promise.all(names.slice(start, start + 50).map((name) => put(`handbook/${name}`, 'x')))
    await signIn(page, people.owner, '/files/handbook?in=many')
    await row('file-0000.txt').waitFor()
    await page.getByText('500 files so far').waitFor()
    for (let turn = 0; turn < 20 && (await row('file-1299.txt').count()) === 0; turn += 1) {
      await page.getByRole('grid').evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight }))
      await page.waitForTimeout(500)
    }
    await row('file-1299.txt').waitFor()
    await page.getByText('1,300 files', { exact: true }).waitFor()
    await page.getByRole('searchbox', { name: 'Find in this folder' }).fill('1234')
    await page.getByText('1 file', { exact: true }).waitFor()
    expect(page.url()).toContain('find=1234')
    await row('file-1234.txt').waitFor()
  })

  test('a bucket that is not listed is opened by its name, and says why nothing is seen', async () => {
    await signIn(page, people.customer, '/files')
    await page.getByRole('textbox', { name: 'Name of the bucket' }).fill('secrets')
    await page.getByRole('button', { name: 'Open bucket' }).click()
    await page.getByText('Nothing to see in this bucket').waitFor()
    await page.getByRole('link', { name: 'All buckets' }).click()
    await page.getByRole('heading', { name: 'Opened by name' }).waitFor()
  })
})

describe('uploading', () => {
  test('a taken name is asked about once for all, and both are kept', async () => {
    const one = await localFile('minutes.txt', 'new minutes')
    const other = await localFile('agenda.txt', 'new agenda')
    await put('handbook/meet/minutes.txt', 'old minutes')
    await put('handbook/meet/agenda.txt', 'old agenda')
    await signIn(page, people.owner, '/files/handbook?in=meet')
    await row('minutes.txt').waitFor()
    await filePicker().setInputFiles([one, other])
    await dialog().getByText('2 files are there already').waitFor()
    await dialog().getByRole('button', { name: 'Keep both' }).click()
    await row('minutes (2).txt').waitFor()
    expect((await stored('handbook/meet/minutes (2).txt')).toString()).toBe('new minutes')
    expect((await stored('handbook/meet/agenda.txt')).toString()).toBe('old agenda')
    await filePicker().setInputFiles([one, other])
    await dialog().getByRole('button', { name: 'Replace' }).click()
    await tray().getByText('4 files uploaded', { exact: true }).waitFor()
    expect((await stored('handbook/meet/agenda.txt')).toString()).toBe('new agenda')
  })

  test('a dropped folder keeps its tree, and letters that storage does not take are written plainly', async () => {
    await localFile('trip/Übersicht.txt', 'overview')
    await localFile('trip/days/one/notes.md', '# One')
    await signIn(page, people.owner, '/files/handbook?in=drops')
    await page.locator('input[webkitdirectory]').setInputFiles(join(folder, 'trip'))
    await tray().getByText('2 files uploaded', { exact: true }).waitFor()
    await tray().getByText('“Übersicht.txt” got a plainer name').waitFor()
    expect((await stored('handbook/drops/trip/Ubersicht.txt')).toString()).toBe('overview')
    expect((await stored('handbook/drops/trip/days/one/notes.md')).toString()).toBe('# One')
    await row('trip').waitFor()
  })

  test('what a bucket does not take is said before a byte is sent', async () => {
    const large = await localFile('scan.png', Buffer.alloc(21_000_000))
    const wrong = await localFile('tool.sh', 'echo')
    await signIn(page, people.owner, '/files/attachments')
    await page.getByText('This folder is empty').waitFor()
    const sent: string[] = []
    page.on('request', (request) => void (request.url().includes('/upload') && sent.push(request.url())))
    await filePicker().setInputFiles([large, wrong])
    await dialog().getByText('2 files cannot go into this bucket').waitFor()
    await dialog().getByText(/Larger than 21 MB/).waitFor()
    await dialog().getByText(/Not of a type this bucket takes/).waitFor()
    await dialog().getByRole('button', { name: 'Cancel' }).click()
    expect(sent).toEqual([])
  })

  test('paused, the page loaded anew, continued: the file is identical', async () => {
    const bytes = randomBytes(24_000_000)
    const film = await localFile('film.mp4', bytes)
    const other = await localFile('other/film.mp4', randomBytes(1000))
    await signIn(page, people.owner, '/files/handbook')
    await row('welcome.md').waitFor()
    const line = await window.newCDPSession(page)
    await line.send('Network.enable')
    await line.send('Network.emulateNetworkConditions', { offline: false, latency: 10, downloadThroughput: 10e6, uploadThroughput: 4e6 })
    await filePicker().setInputFiles(film)
    await page.waitForFunction(() => [...document.querySelectorAll('progress')].some(({ max, value }) => max > 1 && value > 7_000_000))
    await page.getByRole('link', { name: 'Tickets', exact: true }).click()
    await tray().getByRole('button', { name: 'Pause film.mp4' }).click()
    await tray().getByText(/^Paused/).waitFor()
    const asked = new Promise<string>((resolve) => page.once('dialog', (question) => void question.accept().then(() => resolve(question.type()))))
    await page.goto('/files/handbook')
    expect(await asked).toBe('beforeunload')
    await line.detach()
    await tray().getByText('1 upload to be continued').waitFor()
    await tray().locator('input[type=file]').setInputFiles(other)
    await tray().getByText(/This is not the same film.mp4/).waitFor()
    const begun: string[] = []
    page.on('request', (request) => void (request.method() === 'POST' && request.url().includes('/upload/resumable') && begun.push(request.url())))
    await tray().locator('input[type=file]').setInputFiles(film)
    await tray().getByText('1 file uploaded', { exact: true }).waitFor({ timeout: 60_000 })
    expect(begun).toEqual([])
    expect(hash(await stored('handbook/film.mp4'))).toBe(hash(bytes))
    await row('film.mp4').waitFor()
  })

  test('dropped on a folder it goes into that folder, dropped beside it into the open one', async () => {
    await put('handbook/aim/inner/keep.txt', 'x')
    await signIn(page, people.owner, '/files/handbook?in=aim')
    await row('inner').waitFor()
    const drop = async (target: string, name: string) => {
      const transfer = await page.evaluateHandle((called) => {
        const made = new DataTransfer()
        made.items.add(new File([`dropped ${called}`], called, { type: 'text/plain' }))
        return made
      }, name)
      for (const type of ['dragenter', 'dragover', 'drop']) await page.locator(target).dispatchEvent(type, { dataTransfer: transfer })
    }
    await drop('[data-folder="aim/inner"]', 'aimed.txt')
    await tray().getByText('1 file uploaded', { exact: true }).waitFor()
    await drop('[role=grid]', 'beside.txt')
    await tray().getByText('2 files uploaded', { exact: true }).waitFor()
    await row('beside.txt').waitFor()
    expect((await stored('handbook/aim/inner/aimed.txt')).toString()).toBe('dropped aimed.txt')
    expect((await stored('handbook/aim/beside.txt')).toString()).toBe('dropped beside.txt')
  })

  test('the server ends without a word and comes back: the upload goes on, and another tab leaves it alone', async () => {
    const bytes = randomBytes(26_000_000)
    const film = await localFile('killed.bin', bytes)
    await signIn(page, people.owner, '/files/handbook')
    await row('welcome.md').waitFor()
    const line = await window.newCDPSession(page)
    await line.send('Network.enable')
    await line.send('Network.emulateNetworkConditions', { offline: false, latency: 10, downloadThroughput: 10e6, uploadThroughput: 3e6 })
    await filePicker().setInputFiles(film)
    await page.waitForFunction(() => [...document.querySelectorAll('progress')].some(({ max, value }) => max > 1 && value > 8_000_000))
    const other = await window.newPage()
    await other.goto('/files/handbook')
    await other.getByRole('row', { name: 'welcome.md', exact: true }).waitFor()
    expect(await other.getByRole('region', { name: /upload/i }).count()).toBe(0)
    await other.close()
    await box.kill()
    await tray().getByText('Waits for the connection').waitFor({ timeout: 40_000 })
    await box.restart()
    await line.detach()
    await tray().getByText('1 file uploaded', { exact: true }).waitFor({ timeout: 90_000 })
    expect(hash(await stored('handbook/killed.bin'))).toBe(hash(bytes))
  })

  test('what the policies refuse to take is said at the file, and uploading is not offered there again', async () => {
    const note = await localFile('note.txt', 'from a customer')
    await signIn(page, people.customer, '/files/handbook?in=machines')
    await row('descaling.md').waitFor()
    await filePicker().setInputFiles(note)
    await tray().getByText('The policies of this project do not let you').waitFor()
    await page.getByRole('button', { name: 'Upload', exact: true }).waitFor({ state: 'detached' })
    expect(await page.getByRole('button', { name: 'New folder' }).count()).toBe(0)
  })

  test('without a connection an upload waits, and goes on by itself', async () => {
    const bytes = randomBytes(13_000_000)
    const film = await localFile('offline.bin', bytes)
    await signIn(page, people.owner, '/files/handbook')
    await row('welcome.md').waitFor()
    const line = await window.newCDPSession(page)
    await line.send('Network.enable')
    const network = (offline: boolean) => line.send('Network.emulateNetworkConditions', { offline, latency: 10, downloadThroughput: 10e6, uploadThroughput: offline ? 0 : 4e6 })
    await network(false)
    await filePicker().setInputFiles(film)
    await page.waitForFunction(() => [...document.querySelectorAll('progress')].some(({ max, value }) => max > 1 && value > 1_000_000))
    await network(true)
    await tray().getByText('Waits for the connection').waitFor({ timeout: 40_000 })
    await network(false)
    await tray().getByText('1 file uploaded', { exact: true }).waitFor({ timeout: 60_000 })
    expect(hash(await stored('handbook/offline.bin'))).toBe(hash(bytes))
  })
})

describe('a session that ends in mid-upload', () => {
  test('holds the upload, and its person goes on with it after signing in again', async () => {
    const bytes = randomBytes(26_000_000)
    const film = await localFile('ended.bin', bytes)
    await signIn(page, people.owner, '/files/handbook')
    await row('welcome.md').waitFor()
    const line = await window.newCDPSession(page)
    await line.send('Network.enable')
    await line.send('Network.emulateNetworkConditions', { offline: false, latency: 10, downloadThroughput: 10e6, uploadThroughput: 3e6 })
    await filePicker().setInputFiles(film)
    await page.waitForFunction(() => [...document.querySelectorAll('progress')].some(({ max, value }) => max > 1 && value > 1_000_000))
    await window.clearCookies()
    await page.evaluate(() => dispatchEvent(new Event('focus')))
    await page.waitForURL((url) => url.pathname === '/sign-in')
    await line.detach()
    await page.getByLabel('E-mail address').fill(people.owner.email)
    await page.getByRole('button', { name: 'Continue', exact: true }).click()
    await page.getByLabel('Password', { exact: true }).fill(people.owner.password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL((url) => url.pathname === '/files/handbook')
    await tray().getByText('1 file uploaded', { exact: true }).waitFor({ timeout: 60_000 })
    expect(hash(await stored('handbook/ended.bin'))).toBe(hash(bytes))
  })

  test('signing out on purpose asks first, and nothing of it is left for the next person', async () => {
    const film = await localFile('dropped.bin', randomBytes(26_000_000))
    await signIn(page, people.owner, '/files/handbook')
    await row('welcome.md').waitFor()
    const line = await window.newCDPSession(page)
    await line.send('Network.enable')
    await line.send('Network.emulateNetworkConditions', { offline: false, latency: 10, downloadThroughput: 10e6, uploadThroughput: 2e6 })
    await filePicker().setInputFiles(film)
    await page.waitForFunction(() => [...document.querySelectorAll('progress')].some(({ max, value }) => max > 1 && value > 1_000_000))
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await dialog().getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL((url) => url.pathname === '/sign-in')
    await page.waitForFunction(() => !Object.keys(localStorage).some((key) => key.startsWith('portico.uploads')))
    await line.detach()
  })
})

describe('deeds', () => {
  test('a folder is made, a file renamed, copied into it, and the folder renamed with all that is in it', async () => {
    await put('handbook/deeds/plan.txt', 'the plan')
    await signIn(page, people.owner, '/files/handbook?in=deeds')
    await row('plan.txt').waitFor()
    await page.getByRole('button', { name: 'New folder' }).click()
    await dialog().getByLabel('Name of the folder').fill('Größe')
    await page.keyboard.press('Enter')
    await dialog().getByText(/unaccented letters/).waitFor()
    await dialog().getByLabel('Name of the folder').fill('old')
    await page.keyboard.press('Enter')
    await page.getByText('This folder is empty').waitFor()
    await page.goBack()
    await row('plan.txt').focus()
    await page.keyboard.press('F2')
    await page.keyboard.type('goal')
    await page.keyboard.press('Enter')
    await row('goal.txt').waitFor()
    await row('goal.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Copy…' }).click()
    await dialog().getByRole('button', { name: 'old' }).click()
    await dialog().getByRole('button', { name: 'Copy here' }).click()
    await page.getByText('copied to deeds/old').waitFor()
    await row('old').focus()
    await page.keyboard.press('F2')
    await dialog().getByLabel('New name').fill('kept')
    await page.keyboard.press('Enter')
    await row('kept').waitFor()
    expect((await stored('handbook/deeds/kept/goal.txt')).toString()).toBe('the plan')
    expect((await stored('handbook/deeds/goal.txt')).toString()).toBe('the plan')
  })

  test('several are selected by keys, and deleted with the folders among them', async () => {
    await Promise.all(['a.txt', 'b.txt', 'c.txt', 'sub/d.txt', 'sub/deep/e.txt'].map((name) => put(`handbook/waste/${name}`, name)))
    await signIn(page, people.owner, '/files/handbook?in=waste')
    await row('sub').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Shift+ArrowDown')
    await page.getByText('3 entries selected').waitFor()
    expect(new URL(page.url()).searchParams.getAll('sel')).toEqual(['sub', 'a.txt', 'b.txt'])
    await page.keyboard.press('Delete')
    await dialog().getByRole('button', { name: 'Delete 3 entries' }).click()
    await page.getByText('4 files deleted').waitFor()
    await page.getByText('1 file', { exact: true }).waitFor()
    expect((await asService('/object/info/handbook/waste/sub/deep/e.txt', 'GET')).status).toBe(400)
  })

  test('what the policies refuse is named where it happens, and not offered again', async () => {
    await put('handbook/rules/rule.txt', 'keep')
    await signIn(page, people.agent, '/files/handbook?in=rules')
    await row('rule.txt').focus()
    await page.keyboard.press('Delete')
    await dialog().getByRole('button', { name: 'Delete file' }).click()
    await dialog().getByText('The policies of this project do not let you').waitFor()
    await dialog().getByRole('button', { name: 'Close', exact: true }).last().click()
    await row('rule.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Rename…' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Delete' }).count()).toBe(0)
    expect((await stored('handbook/rules/rule.txt')).toString()).toBe('keep')
  })

  test('a link works for anyone who has it, and one file is downloaded as it is', async () => {
    await put('handbook/share/note.txt', 'shared words')
    await signIn(page, people.owner, '/files/handbook?in=share')
    await row('note.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Link to share' }).click()
    await dialog().getByLabel('Works for').selectOption({ label: '1 hour' })
    await dialog().getByRole('button', { name: 'Create link' }).click()
    const link = await dialog().getByRole('textbox', { name: 'Link' }).inputValue()
    expect(await (await fetch(link)).text()).toBe('shared words')
    await dialog().getByRole('button', { name: 'Close', exact: true }).last().click()
    const downloaded = page.waitForEvent('download')
    await row('note.txt').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Download' }).click()
    expect((await downloaded).suggestedFilename()).toBe('note.txt')
  })

  test('a folder is downloaded as one archive', async () => {
    await put('handbook/pack/in/one.txt', 'one')
    await put('handbook/pack/in/deep/two.txt', 'two')
    await signIn(page, people.owner, '/files/handbook?in=pack')
    const downloaded = page.waitForEvent('download')
    await row('in').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Download as ZIP' }).click()
    const archive = await downloaded
    expect(archive.suggestedFilename()).toBe('in.zip')
    const names = Buffer.concat((await (await archive.createReadStream()).toArray()) as Buffer[]).toString('latin1')
    expect(names).toContain('in/deep/two.txt')
    expect(names.startsWith('PK')).toBe(true)
  })
})

describe('previews', () => {
  test('nothing of an SVG or a page is ever run', async () => {
    await put('handbook/wild/bad.svg', '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40"><script>document.title="run";parent.document.title="run"</script><rect width="40" height="40" fill="red"/></svg>', 'image/svg+xml')
    await put('handbook/wild/bad.html', '<script>parent.document.title="run"</script><h1>Hello</h1>', 'text/html')
    await signIn(page, people.owner, '/files/handbook?in=wild&file=bad.svg')
    await page.getByRole('img', { name: 'bad.svg' }).waitFor()
    await page.goto('/files/handbook?in=wild&file=bad.html')
    await page.getByRole('dialog').getByText('<h1>Hello</h1>').waitFor()
    expect(await page.title()).not.toContain('run')
  })

  test('a table of values is a table', async () => {
    await signIn(page, people.owner, '/files/handbook?file=opening-hours.csv')
    await page.getByRole('columnheader', { name: 'weekday' }).waitFor()
    await page.getByRole('cell', { name: 'Stock count, answers may take longer' }).waitFor()
  })
})

describe('for everyone', () => {
  test.each(['light', 'dark'] as const)('axe finds nothing in the list, a preview, a dialog and the tray, %s', async (colorScheme) => {
    const file = await localFile(`axe-${colorScheme}.txt`, 'x')
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    await signIn(page, people.owner, '/files')
    await page.getByRole('link', { name: /^handbook/ }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('link', { name: /^handbook/ }).click()
    await row('welcome.md').waitFor()
    await filePicker().setInputFiles(file)
    await tray().getByText('1 file uploaded', { exact: true }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.getByRole('link', { name: 'opening-hours.csv' }).click()
    await page.getByRole('columnheader', { name: 'weekday' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.press('Escape')
    await row('welcome.md').click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Move…' }).click()
    await dialog().getByRole('button', { name: 'machines' }).waitFor()
    expect(await axeViolations(page)).toEqual([])
  })

  test('on a phone nothing runs out of the window, and every deed is within reach', async () => {
    await put(`handbook/narrow/a-name-that-is-longer-than-any-phone-is-wide-and-has-no-place-to-break-${'x'.repeat(80)}.txt`, 'x')
    await page.setViewportSize(phone)
    await signIn(page, people.owner, '/files/handbook?in=narrow')
    await page.getByText('1 file', { exact: true }).waitFor()
    expect(await axeViolations(page)).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await page.getByRole('button', { name: /^Actions for a-name/ }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: /^a-name/ }).click()
    await page.getByRole('dialog').getByText('Details').waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    expect(await axeViolations(page)).toEqual([])
  })
})
