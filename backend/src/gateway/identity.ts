import type { RequestFacts } from '#contract/caller.ts'
import type { TokenFault, TokenVerdict } from '#contract/service.ts'
import type { KeyRole, KnownKey } from './api-key.ts'
import { invalidApiKey, noApiKey, secretKeyInBrowser, type Refusal } from './refusals.ts'
import type { Claims, Verdict } from './token.ts'

/** What one request sent to say who it is. */
export interface Credentials {
  /** The `apikey` header, else the `apikey` of the query. */
  apiKey: string | undefined
  /** The bearer token of `Authorization`. */
  bearer: string | undefined
  /** The request shows that a browser sent it. */
  fromBrowser: boolean
}

export interface Identity {
  role: string
  claims: Claims
  token?: string
  tokenFault?: TokenFault
  /** A key with all rights was sent; it is kept out of what SQL can read. */
  sentSecret: boolean
}

export interface IdentityRules {
  findKey(key: string): KnownKey | undefined
  checkToken(token: string): Verdict
  /** Whether the database lets a request take this role. */
  allowsRole(role: string): boolean | Promise<boolean>
}

const isOpaque = (text: string): boolean => text.startsWith('sb_')

/** Reads the bearer token of an `Authorization` header. */
export const readBearer = (header: string | null): string | undefined => {
  const found = header === null ? null : /^bearer +(\S+)$/i.exec(header.trim())
  return found?.[1]
}

/** Page scripts cannot change these two. Node's own fetch sends neither. */
export const isFromBrowser = (headers: { get(name: string): string | null }): boolean =>
  headers.get('origin') !== null || /^mozilla\//i.test(headers.get('user-agent') ?? '')

// JWT keys made elsewhere with the project's secret are keys too; a person's token, whose role is another, is not.
function findKey(key: string, rules: IdentityRules): KnownKey | undefined {
  const known = rules.findKey(key)
  if (known || isOpaque(key)) return known
  const verdict = rules.checkToken(key)
  const role = 'claims' in verdict ? verdict.claims.role : undefined
  return role === 'anon' || role === 'service_role' ? { role, isSecret: false } : undefined
}

/** What a key or a token by itself stands for, where it comes alone: over a socket, or in the place of a key. */
export async function verdictOf(text: string, rules: IdentityRules): Promise<TokenVerdict> {
  const known = rules.findKey(text)
  const verdict = isOpaque(text) ? { fault: 'malformed' as const } : rules.checkToken(text)
  // A JWT key that the operator gave may be signed with a secret that is not ours.
  if ('fault' in verdict) return known ? { role: known.role, claims: { role: known.role }, isKey: true } : verdict
  const { claims } = verdict
  if (claims.role !== undefined && typeof claims.role !== 'string') return { fault: 'unknown-role' }
  const role = claims.role ?? 'anon'
  return (await rules.allowsRole(role)) ? { role, claims, isKey: known !== undefined } : { fault: 'unknown-role' }
}

const ofKey = (role: KeyRole): Identity => ({ role, claims: { role }, sentSecret: role === 'service_role' })

async function fromBearer(bearer: string, keyRole: KeyRole, rules: IdentityRules): Promise<Identity> {
  const byKey = (tokenFault: TokenFault): Identity => ({ ...ofKey(keyRole), tokenFault })
  const verdict = rules.checkToken(bearer)
  if ('fault' in verdict) {
    // A JWT key that the operator gave may be signed with a secret that is not ours.
    const known = rules.findKey(bearer)
    return known ? ofKey(known.role) : byKey(verdict.fault)
  }
  const { claims } = verdict
  if (claims.role !== undefined && typeof claims.role !== 'string') return byKey('unknown-role')
  const role = claims.role ?? 'anon'
  if (!(await rules.allowsRole(role))) return byKey('unknown-role')
  return { role, claims, token: bearer, sentSecret: keyRole === 'service_role' || role === 'service_role' }
}

/**
 * Tells on whose behalf a request comes: the bearer token's role, else the API key's own.
 *
 * @param demands `needsKey`: a request without any key is refused, else it counts as `anon`; `takesTokenAsKey`: a token alone will do;
 * `takesUnknownKeys`: a key that is none of ours is no key.
 */
export async function identify(
  sent: Credentials,
  { needsKey, takesTokenAsKey = false, takesUnknownKeys = false }: { needsKey: boolean; takesTokenAsKey?: boolean; takesUnknownKeys?: boolean },
  rules: IdentityRules,
): Promise<Identity | { refusal: Refusal }> {
  // The client sends its key as the bearer token too while nobody is signed in.
  const bearerIsKey = sent.bearer !== undefined && (sent.apiKey === undefined || isOpaque(sent.bearer) || sent.bearer === sent.apiKey)
  const keyText = sent.apiKey ?? (bearerIsKey ? sent.bearer : undefined)
  const key = keyText === undefined ? undefined : findKey(keyText, rules)
  if (sent.fromBrowser && (key?.isSecret === true || sent.bearer?.startsWith('sb_secret_') === true)) return { refusal: secretKeyInBrowser }
  if (!key && takesTokenAsKey) {
    const token = sent.bearer ?? sent.apiKey
    if (token !== undefined && !isOpaque(token)) return fromBearer(token, 'anon', rules)
  }
  if (sent.apiKey !== undefined && !key && !takesUnknownKeys) return { refusal: invalidApiKey }
  if (needsKey && !key) return { refusal: keyText !== undefined && isOpaque(keyText) ? invalidApiKey : noApiKey }

  const keyRole = key?.role ?? 'anon'
  const token = sent.bearer !== undefined && !isOpaque(sent.bearer) ? sent.bearer : undefined
  return token === undefined ? ofKey(keyRole) : fromBearer(token, keyRole, rules)
}

function parseCookies(header: string): Record<string, string> {
  const cookies: Record<string, string> = {}
  for (const part of header.split(';')) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    // The app shares the box's origin; its session cookies would never reach a hosted API and stay out here.
    if (at > 0 && !name.startsWith('sb-')) cookies[name] = part.slice(at + 1).trim()
  }
  return cookies
}

/** Collects what SQL may read about a request. */
export function factsOf(request: Request, path: string, sentSecret: boolean): RequestFacts {
  const headers: Record<string, string> = {}
  let cookies: Record<string, string> = {}
  request.headers.forEach((value, name) => {
    if (name === 'cookie') cookies = parseCookies(value)
    else if (!(sentSecret && (name === 'apikey' || name === 'authorization'))) headers[name] = value
  })
  return { method: request.method, path, headers, cookies }
}
