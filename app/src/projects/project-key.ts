import { unquote } from './project-url.ts'

export type KeyReading = { ok: true; key: string } | { ok: false; fault: KeyFault }

export type KeyFault = 'key-missing' | 'key-malformed' | 'key-secret' | 'key-service-role' | 'key-user-token' | 'key-expired'

/**
 * Reads a project's public key: `sb_publishable_…`, or a JWT whose role is `anon`. A key that stands above row policies is
 * refused here, before anything is asked or kept. Other words are left to the project to judge.
 */
export function readProjectKey(text: string, now = Date.now()): KeyReading {
  const key = unquote(text)
  if (key === '') return refuse('key-missing')
  // Personal access tokens (`sbp_…`) open the whole account.
  if (/sb_secret_|^sbp_/.test(key)) return refuse('key-secret')
  if (/\s/.test(key)) return refuse('key-malformed')
  if (!key.startsWith('eyJ')) return { ok: true, key }
  const claims = readClaims(key)
  if (!claims) return refuse('key-malformed')
  const { role, exp, sub } = claims
  if (role === 'anon' && sub === undefined) return typeof exp === 'number' && exp * 1000 < now ? refuse('key-expired') : { ok: true, key }
  return refuse(typeof sub === 'string' || role === 'authenticated' ? 'key-user-token' : 'key-service-role')
}

const refuse = (fault: KeyFault): KeyReading => ({ ok: false, fault })

function readClaims(token: string): Record<string, unknown> | undefined {
  const payload = token.split('.')[1]
  if (payload === undefined) return undefined
  try {
    const value: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
