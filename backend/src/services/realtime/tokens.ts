import type { TokenFault, TokenVerdict } from '#contract/service.ts'
import { badSignature, malformedToken, missingClaims, notYetValid, tokenExpired, unknownRole, unknownSigner, type Refusal } from './errors.ts'

/** On whose behalf a channel reads and writes. */
export interface Reader {
  role: string
  claims: Readonly<Record<string, unknown>>
  /** Milliseconds since the Unix epoch; infinite for the project's keys. */
  expiresAt: number
}

export const isOpaqueKey = (text: string): boolean => text.startsWith('sb_')

function readExpiry(token: string): number | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8'))
    const { exp } = claims as { exp?: unknown }
    return typeof exp === 'number' ? exp : undefined
  } catch {
    return undefined
  }
}

/** How long ago a token ended, in the hosted words. Its signature was good. */
export const expiryOf = (expiresAt: number, nowMs: number): Refusal => tokenExpired(Math.max(0, Math.round((nowMs - expiresAt) / 1000)))

const refusals: Readonly<Record<Exclude<TokenFault, 'expired'>, Refusal>> = {
  malformed: malformedToken,
  'bad-signature': badSignature,
  'wrong-issuer': badSignature,
  'unknown-key': unknownSigner,
  'not-yet-valid': notYetValid,
  'unknown-role': unknownRole,
}

/**
 * Tells whose token it is, or why it is refused. A person's token must name its role and its end.
 *
 * @see supabase/realtime lib/realtime_web/channels/auth/channels_authorization.ex
 */
export function judgeToken(verdict: TokenVerdict, token: string | undefined, nowMs: number): { reader: Reader } | { refusal: Refusal } {
  if ('fault' in verdict) {
    if (verdict.fault !== 'expired') return { refusal: refusals[verdict.fault] }
    const exp = token === undefined ? undefined : readExpiry(token)
    return { refusal: expiryOf((exp ?? nowMs / 1000) * 1000, nowMs) }
  }
  const { role, claims, isKey } = verdict
  const { exp } = claims
  if (typeof exp === 'number' && typeof claims.role === 'string') return { reader: { role, claims, expiresAt: exp * 1000 } }
  return isKey ? { reader: { role, claims, expiresAt: Number.POSITIVE_INFINITY } } : { refusal: missingClaims }
}
