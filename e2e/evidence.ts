import { mkdir, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import type { RunnerTestCase } from 'vitest'

const folder = join(import.meta.dirname, 'output')
const longestTale = 400

const tales = new WeakMap<BrowserContext, string[]>()

/** Writes down what the pages of a window say and ask for, in case its test fails. Slows them down where the environment says so. */
export function follow(window: BrowserContext): void {
  const tale: string[] = []
  const openedAt = Date.now()
  const note = (text: string) => {
    tale.push(`${((Date.now() - openedAt) / 1000).toFixed(2)} s  ${text}`)
    if (tale.length > longestTale) tale.shift()
  }
  tales.set(window, tale)
  window.on('console', (message) => note(`console ${message.type()}: ${message.text()}`))
  window.on('weberror', (error) => note(`page error: ${error.error().message}`))
  window.on('requestfailed', (request) => note(`${request.method()} ${request.url()}: ${request.failure()?.errorText}`))
  window.on('response', (answer) => void (!/script|stylesheet|font|image/.test(answer.request().resourceType()) && note(`${answer.request().method()} ${answer.url()}: ${answer.status()}`)))
  window.on('page', (page) => {
    page.on('framenavigated', (frame) => frame === page.mainFrame() && note(`at ${frame.url()}`))
    void slowDown(page)
  })
}

/** `PORTICO_SLOW=4`: the pages' processor is four times slower. A journey must not notice. */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env['PORTICO_SLOW'] ?? 1)
  if (!(rate > 1)) return
  const line = await page.context().newCDPSession(page)
  await line.send('Emulation.setCPUThrottlingRate', { rate })
}

// Runs in the page: where the person was, which a picture does not always tell.
const describeFocus = () => {
  const { activeElement, title } = document
  return `"${title}", focus on ${activeElement?.outerHTML.slice(0, 200).replaceAll(/\s+/g, ' ')}`
}

/** Keeps pictures and tales of all open windows, and says in the run's own output where. */
export async function keepEvidence(test: Readonly<RunnerTestCase>, browser: Browser): Promise<void> {
  await mkdir(folder, { recursive: true })
  const name = `${test.file.name.replace(/\.test\.ts$/, '')}-${test.name}`.replaceAll(/[^\p{L}\d]+/gu, '-').slice(0, 80)
  let count = 0
  for (const window of browser.contexts()) {
    for (const page of window.pages()) {
      count += 1
      const path = join(folder, `${name}-${count}`)
      await page.screenshot({ path: `${path}.png`, timeout: 10_000 }).catch(() => undefined)
      // A page that hangs answers nothing, for ever.
      const focus = await Promise.race([page.evaluate(describeFocus), new Promise<string>((resolve) => setTimeout(resolve, 5000, 'no longer answers'))]).catch(String)
      const tale = [`${page.url()} ${focus}`, ...(tales.get(window) ?? [])]
      await writeFile(`${path}.txt`, `${tale.join('\n')}\n`)
      console.error([`✗ ${test.name}: ${relative(process.cwd(), path)}.png and .txt`, tale[0], ...tale.slice(1).slice(-25)].join('\n    '))
    }
  }
}
