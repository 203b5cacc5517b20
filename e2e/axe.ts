import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

interface Violation {
  id: string
  nodes: { html: string }[]
}

/** What axe finds on the page as it stands; one line a violation, an empty list when all is well. */
export async function axeViolations(page: Page): Promise<string[]> {
  await atRest(page)
  // `evaluate` runs outside the page's content security policy, a script tag would not.
  await page.evaluate(source)
  const violations = (await page.evaluate('axe.run().then((result) => result.violations)')) as Violation[]
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
}

/** Colours on their way from one scheme to the other have the contrast of neither; what turns for ever is not waited for. */
const atRest = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const ending = document.getAnimations().filter(({ effect }) => Number.isFinite(Number(effect?.getComputedTiming().endTime)))
    await Promise.allSettled(ending.map(({ finished }) => finished))
  })
