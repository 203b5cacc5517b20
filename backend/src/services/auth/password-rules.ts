import { invalidRequest, weakPassword } from './errors.ts'
import type { PasswordSettings } from './settings.ts'

/** bcrypt reads no further. In bytes of UTF-8, as the hosted backend counts. */
const longestPasswordBytes = 72

/** What is wrong with a password, in the order the hosted backend names it; undefined: nothing. */
export function passwordWeakness(password: string, rules: PasswordSettings): { message: string; reasons: string[] } | undefined {
  const reasons: string[] = []
  const messages: string[] = []
  if (Buffer.byteLength(password) < Math.max(6, rules.minLength)) {
    reasons.push('length')
    messages.push(`Password should be at least ${Math.max(6, rules.minLength)} characters.`)
  }
  if (rules.requiredCharacters.some((set) => set !== '' && ![...set].some((sign) => password.includes(sign)))) {
    reasons.push('characters')
    messages.push(`Password should contain at least one character of each: ${rules.requiredCharacters.join(', ')}.`)
  }
  return reasons.length > 0 ? { message: messages.join(' '), reasons } : undefined
}

/**
 * Accepts a new password.
 *
 * @throws `validation_failed` (400) past 72 bytes, `weak_password` (422) against the project's rules.
 */
export function requireGoodPassword(password: string, rules: PasswordSettings): void {
  if (Buffer.byteLength(password) > longestPasswordBytes) {
    throw invalidRequest(`Password cannot be longer than ${longestPasswordBytes} characters`)
  }
  const weakness = passwordWeakness(password, rules)
  if (weakness) throw weakPassword(weakness.message, weakness.reasons)
}
