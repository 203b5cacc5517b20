import { createHash, timingSafeEqual } from 'node:crypto'
import type { ProjectKeys } from '#contract/keys.ts'

export type KeyRole = 'anon' | 'service_role'

export interface KnownKey {
  role: KeyRole
  /** `sb_secret_…`: the kind a browser may never send. */
  isSecret: boolean
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/**
 * Makes the function that tells what a key is; undefined for one that is not ours.
 * Digests of equal length are compared, all of them each time, so that time tells nothing about a key.
 */
export function createKeyRing(keys: ProjectKeys): (key: string) => KnownKey | undefined {
  const known = [
    { digest: digest(keys.publishableKey), found: { role: 'anon', isSecret: false } },
    { digest: digest(keys.anonKey), found: { role: 'anon', isSecret: false } },
    { digest: digest(keys.secretKey), found: { role: 'service_role', isSecret: true } },
    { digest: digest(keys.serviceRoleKey), found: { role: 'service_role', isSecret: false } },
  ] as const
  return (key) => {
    const given = digest(key)
    let found: KnownKey | undefined
    for (const candidate of known) if (timingSafeEqual(candidate.digest, given)) found ??= candidate.found
    return found
  }
}
