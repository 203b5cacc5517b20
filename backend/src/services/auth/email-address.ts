import { invalidRequest } from './errors.ts'

// One @, a dotless or dotted domain of usual labels, no blanks or control characters.
const usualAddress = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/**
 * Reads an e-mail address as it is stored: lower case.
 *
 * @throws `validation_failed` (400) when it is missing, longer than 255 characters or no address.
 */
export function readEmail(given: string): string {
  if (given === '') throw invalidRequest('An email address is required')
  if (given.length > 255) throw invalidRequest('An email address is too long')
  // Letters of other scripts fold into ours: what is no usual letter must not become one. \u212a is the Kelvin sign, in lower case a k.
  // oxlint-disable-next-line no-control-regex -- whatever is beyond ASCII
  if (/[^\u0000-\u007f]/.test(given)) throw invalidRequest('Unable to validate email address: invalid format')
  const email = given.toLowerCase()
  if (!usualAddress.test(email)) throw invalidRequest('Unable to validate email address: invalid format')
  return email
}

/**
 * Reads a phone number as it is stored: digits alone.
 *
 * @throws `validation_failed` (400) when it is not E.164.
 */
export function readPhone(given: string): string {
  const phone = given.replace(/^\+/, '').replaceAll(' ', '')
  if (!/^[1-9]\d{1,14}$/.test(phone)) throw invalidRequest('Invalid phone number format (E.164 required)')
  return phone
}
