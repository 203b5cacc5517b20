import type { Auth } from './auth.ts'
import { isBreached } from './breached-passwords.ts'
import { invalidRequest, weakPassword } from './errors.ts'

/** bcrypt reads no further. In bytes of UTF-8, as the hosted backend counts. */
const longestPasswordBytes = 72

/** What is wrong with a password, in the order the hosted backend names it; undefined: nothing. */
export async function passwordWeakness(auth: Auth, password: string): Promise<{ message: string; reasons: string[] } | undefined> {
  const rules = auth.settings.password
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
  if (await isBreached(auth, password)) {
    reasons.push('pwned')
    messages.push('Password is known to be weak and easy to guess, please choose a different one.')
  }
  return reasons.length > 0 ? { message: messages.join(' '), reasons } : undefined
}

/**
 * Accepts a new password.
 *
 * @throws `validation_failed` (400) past 72 bytes, `weak_password` (422) against the project's rules.
 */
export async function requireGoodPassword(auth: Auth, password: string): Promise<void> {
  if (Buffer.byteLength(password) > longestPasswordBytes) {
    throw invalidRequest(`Password cannot be longer than ${longestPasswordBytes} characters`)
  }
  const weakness = await passwordWeakness(auth, password)
  if (weakness) throw weakPassword(weakness.message, weakness.reasons)
}
