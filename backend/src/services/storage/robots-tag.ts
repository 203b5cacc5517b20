import { robotsTagInvalid } from './errors.ts'

const plainRule = /^(all|noindex|nofollow|none|nosnippet|indexifembedded|notranslate|noimageindex)$/
const numberRule = /^(max-snippet|max-video-preview):\s*(-1|\d+)$/
const previewRule = /^max-image-preview:\s*(none|standard|large)$/
const dateRule = /^unavailable_after:\s*(.+)$/
const agentRule = /^[A-Za-z][\w-]*:\s*(.+)$/

// A date of the form `Wed, 21 Oct 2026 07:28:00 GMT` has a comma of its own.
const splitRules = (tag: string): string[] => tag.split(/,(?!\s*\d{1,2}[ -][A-Z])/).map((rule) => rule.trim())

function checkRule(rule: string, mayNameAgent: boolean): void {
  if (rule === '') throw robotsTagInvalid('X-Robots-Tag header contains empty rule')
  if (plainRule.test(rule) || numberRule.test(rule) || previewRule.test(rule)) return
  const date = dateRule.exec(rule)?.[1]
  if (date !== undefined && !Number.isNaN(Date.parse(date))) return
  const ofAgent = !mayNameAgent || /^(max-|unavailable_after)/.test(rule) ? undefined : agentRule.exec(rule)?.[1]
  if (ofAgent === undefined) throw robotsTagInvalid(`Invalid X-Robots-Tag rule: "${rule}"`)
  checkRule(ofAgent, false)
}

/**
 * Checks what a file is to tell search engines: `noindex, nofollow`, `googlebot: none`.
 *
 * @throws `InvalidRequest` (400).
 */
export function checkRobotsTag(tag: string): void {
  if (tag.trim() === '') throw robotsTagInvalid('X-Robots-Tag header value must be a non-empty string')
  for (const rule of splitRules(tag)) checkRule(rule, true)
}
