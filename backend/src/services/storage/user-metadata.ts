import { requestInvalid, tooLarge } from './errors.ts'
import type { UserMetadata } from './wire.ts'

const maxBytes = 1024 * 1024
// The database parses it by recursion, and would answer a deep one with the end of its stack.
const maxDepth = 64

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return depth === 0 || Object.values(value).some((member) => isDeeperThan(member, depth - 1))
}

/**
 * Reads what an uploader says about a file: a JSON object as text. What is no such text counts as nothing said.
 *
 * @throws `EntityTooLarge` (413), `InvalidRequest` (400) for what the database cannot keep.
 */
export function parseUserMetadata(text: string): UserMetadata | undefined {
  if (Buffer.byteLength(text) > maxBytes) throw tooLarge('user_metadata')
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return undefined
  if (isDeeperThan(parsed, maxDepth) || text.includes('\\u0000')) throw requestInvalid('Invalid metadata')
  return parsed as UserMetadata
}

/** Reads the header `x-metadata`: such a text in Base64. */
export const readMetadataHeader = (headers: Headers): UserMetadata | undefined => {
  const given = headers.get('x-metadata')
  return given === null ? undefined : parseUserMetadata(Buffer.from(given, 'base64').toString('utf8'))
}
