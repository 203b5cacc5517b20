import { createHash, randomBytes, randomInt, randomUUID, timingSafeEqual } from 'node:crypto'

/** Where secrets come from; tests pass a foreseeable one. */
export interface Randomness {
  /** Decimal digits, leading zeros kept: `048213`. */
  code(length: number): string
  /** Lower-case letters and digits. */
  word(length: number): string
  uuid(): string
}

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'

/** The system's cryptographic randomness. */
export const systemRandomness: Randomness = {
  code: (length) => Array.from({ length }, () => randomInt(10)).join(''),
  // 32 letters: five bits of each byte, without bias.
  word: (length) => Array.from(randomBytes(length), (byte) => alphabet[byte & 31]).join(''),
  uuid: () => randomUUID(),
}

function uuidOf(bytes: Uint8Array): string {
  const hex = Buffer.from(bytes).toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-')
}

/** Prefix of token hashes whose link ends in a `?code=` (PKCE) instead of tokens in the fragment. */
export const pkcePrefix = 'pkce_'

/**
 * What is stored and mailed in place of a typed code.
 *
 * @param address lower-case e-mail address, or phone number without `+`.
 * @see supabase/auth internal/crypto/crypto.go, `GenerateTokenHash`
 */
export const tokenHash = (address: string, code: string): string => createHash('sha224').update(address + code).digest('hex')

/**
 * The flow a mailed link belongs to, computed from the link itself: a link leads to the flow that asked for it,
 * never to the one asked for last.
 */
export function flowIdOf(hash: string): string {
  const bytes = createHash('sha256').update(`flow:${hash}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return uuidOf(bytes)
}

/** Compares secrets without telling by time where they differ. */
export function sameSecret(given: string, expected: string): boolean {
  const left = createHash('sha256').update(given).digest()
  const right = createHash('sha256').update(expected).digest()
  return timingSafeEqual(left, right) && given.length === expected.length
}

/** Whether a text is a UUID in the usual spelling. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text)
