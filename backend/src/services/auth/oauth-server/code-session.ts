import { createHash } from 'node:crypto'

/**
 * The id of the session a code is traded for, computed from the code: who trades a code again names the session it opened,
 * although nothing of the code is kept.
 */
export function sessionIdOfCode(code: string): string {
  const bytes = createHash('sha256').update(`oauth session:${code}`).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
}
