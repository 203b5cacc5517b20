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
  // `evaluate` runs outside the page's content security policy, a script tag would not.
  await page.evaluate(source)
  const violations = (await page.evaluate('axe.run().then((result) => result.violations)')) as Violation[]
  return violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.html.slice(0, 160)).join(' | ')}`)
}
