import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ObjectAddress } from './bytes/blob-key.ts'
import { signatureInvalid, tokenInvalid } from './errors.ts'
import type { StorageParts } from './parts.ts'

/** What a link lets its holder do. */
export type LinkScope = 'download' | 'upload'

interface LinkClaims {
  /** `avatars/cats/tom.png` */
  url: string
  scope?: unknown
  /** Seconds since the epoch. */
  exp: number
}

export interface DownloadClaims extends LinkClaims {
  /** `height:100,width:100,resize:cover` */
  transformations?: string
  format?: string
}

export interface UploadClaims extends LinkClaims {
  upsert: boolean
  owner?: string
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const head = encode({ alg: 'HS256', typ: 'JWT' })

const pathOf = ({ bucketId, name }: ObjectAddress): string => `${bucketId}/${name}`

/** Signs what a link may, for this object and no other. What it says cannot be overruled by `more`. */
export function signLink(
  { keys, clock }: Pick<StorageParts, 'keys' | 'clock'>,
  address: ObjectAddress,
  { scope, lifetimeSeconds, ...more }: { scope: LinkScope; lifetimeSeconds: number; transformations?: string; format?: string; upsert?: boolean; owner?: string },
): string {
  const iat = Math.floor(clock.now() / 1000)
  const content = `${head}.${encode({ ...more, url: pathOf(address), scope, iat, exp: iat + lifetimeSeconds })}`
  return `${content}.${createHmac('sha256', keys.jwtSecret).update(content).digest('base64url')}`
}

function readClaims(token: string, secret: string): Record<string, unknown> {
  const [header = '', body = '', signature = '', ...rest] = token.split('.')
  if (rest.length > 0 || ![header, body, signature].every((part) => /^[\w-]+$/.test(part))) throw tokenInvalid('Invalid Compact JWS')
  let algorithm: unknown
  let claims: unknown
  try {
    algorithm = (JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as { alg?: unknown }).alg
    claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8'))
  } catch {
    throw tokenInvalid('Invalid Compact JWS')
  }
  const expected = createHmac('sha256', secret).update(`${header}.${body}`).digest()
  const given = Buffer.from(signature, 'base64url')
  const isRight = algorithm === 'HS256' && given.length === expected.length && timingSafeEqual(given, expected)
  if (!isRight) throw tokenInvalid('signature verification failed')
  if (typeof claims !== 'object' || claims === null) throw tokenInvalid('JWT Claims Set must be a top-level JSON object')
  return claims as Record<string, unknown>
}

// Links of older servers say no scope; only those to upload to say `upsert`.
function isFor(scope: LinkScope, claims: Record<string, unknown>): boolean {
  if (claims.scope !== undefined) return claims.scope === scope
  return scope === 'upload' ? 'upsert' in claims : !('upsert' in claims)
}

/**
 * Checks the token of a link: ours, for this, for this object, and still valid.
 *
 * @throws `InvalidJWT`, `InvalidSignature` (400).
 * @see supabase/storage src/storage/object.ts, `verifyObjectSignature`
 */
export function verifyLink<S extends LinkScope>(
  { keys, clock }: Pick<StorageParts, 'keys' | 'clock'>,
  token: string,
  { scope, address }: { scope: S; address: ObjectAddress },
): S extends 'upload' ? UploadClaims : DownloadClaims {
  const claims = readClaims(token, keys.jwtSecret)
  if (typeof claims.exp !== 'number' || claims.exp * 1000 <= clock.now()) throw tokenInvalid('"exp" claim timestamp check failed')
  if (!isFor(scope, claims)) throw signatureInvalid(`Token is not scoped for ${scope}`)
  if (claims.url !== pathOf(address)) throw signatureInvalid()
  // The scope was checked, which the type of the result follows and the compiler cannot.
  return claims as never
}
