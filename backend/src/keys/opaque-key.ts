import { createHash, randomBytes } from 'node:crypto'

export type OpaqueKeyPrefix = 'sb_publishable_' | 'sb_secret_'

// The self-hosted distribution puts this name into the checksum, so that its tools accept our keys.
const project = 'supabase-self-hosted'

const checksumOf = (body: string): string =>
  createHash('sha256').update(`${project}|${body}`).digest('base64url').slice(0, 8)

/**
 * Makes a key of the hosted shape: prefix, 22 random base64url characters, `_`, 8 characters of checksum.
 *
 * @see supabase/supabase docker/utils/add-new-auth-keys.sh
 */
export function makeOpaqueKey(prefix: OpaqueKeyPrefix): string {
  const body = `${prefix}${randomBytes(17).toString('base64url').slice(0, 22)}`
  return `${body}_${checksumOf(body)}`
}
