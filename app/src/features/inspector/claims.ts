import { readClaims } from '#api/cookie-jar.ts'

/** What an access token says, without the token. */
export interface TokenFacts {
  claims: Readonly<Record<string, unknown>>
  /** `ES256`, `HS256`; empty when it cannot be read. */
  algorithm: string
  keyId: string
  /** In characters. */
  length: number
  /** Milliseconds since the epoch; null when the token does not say. */
  issuedAt: number | null
  expiresAt: number | null
}

/** One way a person proved who they are, and when. */
export interface Method {
  name: string
  /** Milliseconds since the epoch; null when the token does not say. */
  at: number | null
}

const inMs = (seconds: unknown): number | null => (typeof seconds === 'number' ? seconds * 1000 : null)

export function readToken(accessToken: string): TokenFacts | null {
  const claims = readClaims(accessToken)
  if (!claims) return null
  const header = readClaims(`.${accessToken.split('.')[0] ?? ''}`) ?? {}
  const text = (value: unknown) => (typeof value === 'string' ? value : '')
  return { claims, algorithm: text(header['alg']), keyId: text(header['kid']), length: accessToken.length, issuedAt: inMs(claims['iat']), expiresAt: inMs(claims['exp']) }
}

/** Reads `amr`: names alone, or names with their moment. */
export function readMethods(amr: unknown): Method[] {
  if (!Array.isArray(amr)) return []
  return amr.flatMap((entry: unknown) => {
    if (typeof entry === 'string') return [{ name: entry, at: null }]
    const { method, timestamp } = (entry ?? {}) as Record<string, unknown>
    return typeof method === 'string' ? [{ name: method, at: inMs(timestamp) }] : []
  })
}

const told = new Set(['sub', 'email', 'phone', 'role', 'aal', 'amr', 'session_id', 'iss', 'aud', 'iat', 'exp', 'is_anonymous'])

/** The claims no other line tells: metadata, and what the project's own hook adds. */
export const otherClaims = (claims: Readonly<Record<string, unknown>>): [name: string, value: unknown][] =>
  Object.entries(claims).filter(([name, value]) => !told.has(name) && value !== null && value !== '' && JSON.stringify(value) !== '{}')

/** `59:07`, `1:02:00`; zero once it is over. */
export function clockText(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}
