import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** What a refresh token of the second kind says: the session, and how many were issued in it before. */
export interface SignedRefreshToken {
  /** A UUID. */
  sessionId: string
  counter: bigint
}

/** A token as it was sent: believed once its signature is checked. */
export interface ClaimedRefreshToken extends SignedRefreshToken {
  isSignedWith(key: string): boolean
}

const idBytes = 16
const signatureBytes = 16
const checksumBytes = 4
const longestCounterBytes = 9

/** A session's own key, as it is stored: 32 bytes in base64url. */
export const newTokenKey = (): string => randomBytes(32).toString('base64url')

const uuidBytes = (uuid: string): Buffer => Buffer.from(uuid.replaceAll('-', ''), 'hex')
const uuidText = (bytes: Buffer): string => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let left = value
  while (left >= 0x80n) {
    bytes.push(Number(left & 0x7fn) | 0x80)
    left >>= 7n
  }
  return Buffer.from([...bytes, Number(left)])
}

/** Undefined: it is none, is longer than its number needs, or no such number was ever issued. */
function readVarint(bytes: Buffer): bigint | undefined {
  if (bytes.length === 0 || bytes.length > longestCounterBytes) return undefined
  const value = bytes.reduceRight((sum, byte) => (sum << 7n) | BigInt(byte & 0x7f), 0n)
  return varint(value).equals(bytes) ? value : undefined
}

const signatureOf = (message: Buffer, key: string): Buffer => createHmac('sha256', Buffer.from(key, 'base64url')).update(message).digest().subarray(0, signatureBytes)
const checksumOf = (bytes: Buffer): Buffer => createHash('sha256').update(bytes).digest().subarray(0, checksumBytes)

/**
 * Writes a refresh token of the second kind: version, session, counter, signature and checksum, in base64url.
 *
 * @see supabase/auth internal/crypto/refresh_tokens.go, `Encode`
 */
export function signRefreshToken({ sessionId, counter }: SignedRefreshToken, key: string): string {
  const message = Buffer.concat([Buffer.from([0]), uuidBytes(sessionId), varint(counter)])
  const signed = Buffer.concat([message, signatureOf(message, key)])
  return Buffer.concat([signed, checksumOf(signed)]).toString('base64url')
}

/**
 * Reads one; undefined for what is none. The checksum keeps mistyped ones from the database, the signature is for whoever knows the key.
 *
 * @see supabase/auth internal/crypto/refresh_tokens.go, `ParseRefreshToken`
 */
export function readRefreshToken(text: string): ClaimedRefreshToken | undefined {
  if (text.length > 100 || !/^[\w-]+$/.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  // One spelling a token: trailing bits that are not read would make others of the same.
  if (bytes.toString('base64url') !== text || bytes[0] !== 0) return undefined
  const signed = bytes.subarray(0, -checksumBytes)
  const message = signed.subarray(0, -signatureBytes)
  const counter = readVarint(message.subarray(1 + idBytes))
  if (counter === undefined || !timingSafeEqual(checksumOf(signed), bytes.subarray(-checksumBytes))) return undefined
  const signature = signed.subarray(-signatureBytes)
  return {
    sessionId: uuidText(message.subarray(1, 1 + idBytes)),
    counter,
    isSignedWith: (key) => timingSafeEqual(signatureOf(message, key), signature),
  }
}
