import { createHmac, randomBytes } from 'node:crypto'

import { sameSecret } from '#services/auth/codes.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const periodSeconds = 30
/** Steps of the clock a code may be early or late by. */
const skew = 1

/** Base 32 of RFC 4648 without padding, as authenticator apps take a key. */
function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text.toUpperCase().replace(/=+$/, ''), (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((eight) => Number.parseInt(eight, 2)))
}

/** A fresh key of 160 bits, in base 32. */
export const newTotpSecret = (): string => toBase32(randomBytes(20))

/** The code of one step: HMAC-SHA1, six digits (RFC 4226). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (digest[digest.length - 1] ?? 0) & 0x0f
  return String((digest.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0')
}

/** The step of the clock a moment lies in. */
export const totpStep = (nowMs: number): number => Math.floor(nowMs / 1000 / periodSeconds)

/**
 * The step a code belongs to, within one before and one after now; undefined when it is wrong.
 *
 * @param usedStep the newest step a code was accepted of: it and all before it are over (RFC 6238, 5.2). Null: none yet.
 */
export function matchTotp(secret: string, code: string, { nowMs, usedStep }: { nowMs: number; usedStep: number | null }): number | undefined {
  const now = totpStep(nowMs)
  const steps = Array.from({ length: 2 * skew + 1 }, (_, at) => now - skew + at)
  // All are compared, whichever is right: the time taken tells nothing.
  const right = steps.filter((step) => sameSecret(code, totpCode(secret, step)))
  return right.find((step) => usedStep === null || step > usedStep)
}

/**
 * What an authenticator app reads: `otpauth://totp/<issuer>:<account>?algorithm=SHA1&…`.
 *
 * @see https://github.com/google/google-authenticator/wiki/Key-Uri-Format
 */
export function totpUri({ issuer, account, secret }: { issuer: string; account: string; secret: string }): string {
  const facts = { algorithm: 'SHA1', digits: '6', issuer, period: String(periodSeconds), secret }
  const query = Object.entries(facts).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
  return `otpauth://totp/${encodeURIComponent(issuer)}:${encodeURIComponent(account)}?${query}`
}
