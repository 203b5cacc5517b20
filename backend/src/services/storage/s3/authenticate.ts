import { timingSafeEqual, createHash } from 'node:crypto'
import type { Caller } from '#contract/caller.ts'
import type { Clock } from '#contract/clock.ts'
import type { RequestContext } from '#contract/service.ts'
import { accessDenied, clockSkewed, expiredSignature, invalidRequest, invalidSessionToken, signatureMismatch } from './errors.ts'
import { readRequestClaim, type SignatureClaim } from './signature-claim.ts'
import { deriveSigningKey, isSameSignature, signaturesOf, type SignedRequest } from './signature.ts'
import type { S3Access } from './settings.ts'

export interface AuthenticationDeps {
  access: S3Access
  clock: Clock
  /** Keys anybody may know, any of which is the secret of a request that carries a session token. */
  publicKeys: readonly string[]
}

/** A request whose signature held. */
export interface Authenticated {
  caller: Caller
  claim: SignatureClaim
  /** Signs what follows: chunks of the body. */
  signingKey: Buffer
  /** Hash of the body in hexadecimal, or the word that stands for it. */
  payloadHash: string
}

const longestSkewMs = 15 * 60_000

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
const isSame = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b))

/** Milliseconds since the epoch of `20261120T175700Z`. */
const momentMs = (moment: string): number =>
  Date.parse(moment.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))

function checkMoment({ via, moment, lifetimeSeconds = 0 }: SignatureClaim, nowMs: number): void {
  const signedAt = momentMs(moment)
  if (Number.isNaN(signedAt) || signedAt > nowMs + longestSkewMs) throw clockSkewed()
  if (via === 'header' && signedAt < nowMs - longestSkewMs) throw clockSkewed()
  if (via === 'query' && signedAt + lifetimeSeconds * 1000 < nowMs) throw expiredSignature()
}

function checkScope({ scope }: SignatureClaim, { region }: S3Access): void {
  if (scope.service !== 's3') throw accessDenied('Invalid Service')
  // Tools that know no regions sign with one of these.
  if (![region, 'us-east-1', 'auto', ''].includes(scope.region)) throw accessDenied('Invalid Region')
}

/** Secrets a request may have been signed with, by what it says its access key is. */
function secretsOf({ accessKeyId, sessionToken }: SignatureClaim, { access, publicKeys }: AuthenticationDeps): readonly string[] {
  if (sessionToken !== undefined) {
    if (!access.projectRefs.includes(accessKeyId)) throw accessDenied('Invalid Access Key')
    return publicKeys
  }
  if (!isSame(accessKeyId, access.accessKeyId)) throw accessDenied('Invalid Access Key')
  return [access.secretAccessKey]
}

// What the headers of this protocol say changes what a request does: one that was added to somebody's signed URL must count for nothing.
const mayStayUnsigned = new Set(['x-amz-content-sha256', 'x-amz-date', 'x-amz-user-agent', 'x-amzn-trace-id'])

function checkSignedHeaders({ signedHeaders }: SignatureClaim, headers: Headers): void {
  if (!signedHeaders.includes('host')) throw accessDenied('There were headers present in the request which were not signed: host')
  for (const name of headers.keys()) {
    if (!name.startsWith('x-amz-') || mayStayUnsigned.has(name) || signedHeaders.includes(name)) continue
    throw accessDenied(`There were headers present in the request which were not signed: ${name}`)
  }
}

function readPayloadHash({ via, signedHeaders }: SignatureClaim, headers: Headers, query: URLSearchParams): string {
  const header = headers.get('x-amz-content-sha256')
  if (via === 'header') {
    if (header === null) throw invalidRequest('Missing required header for this request: x-amz-content-sha256')
    return header
  }
  const signed = signedHeaders.includes('x-amz-content-sha256') ? header : null
  return query.get('X-Amz-Content-Sha256') ?? signed ?? 'UNSIGNED-PAYLOAD'
}

const signedRequestOf = (request: Request, { url, origin }: { url: URL; origin: string }, payloadHash: string): SignedRequest => ({
  method: request.method,
  pathname: url.pathname,
  query: url.search.slice(1),
  headers: request.headers,
  hosts: [...new Set([request.headers.get('host') ?? url.host, new URL(origin).host])],
  payloadHash,
})

/** Finds the secret that made a signature. `sign` gives every signature a key may have made of what was sent. */
export function findSigningKey(claim: SignatureClaim, deps: AuthenticationDeps, sign: (key: Buffer) => readonly string[]): Buffer {
  checkScope(claim, deps.access)
  // A form lives as long as its policy says, which is signed.
  if (claim.via !== 'form') checkMoment(claim, deps.clock.now())
  for (const secret of secretsOf(claim, deps)) {
    const key = deriveSigningKey(secret, claim.scope)
    if (sign(key).some((made) => isSameSignature(made, claim.signature))) return key
  }
  throw signatureMismatch()
}

/** Says on whose behalf a signed request comes: the session token's owner, else the box's own all-rights role. */
export async function callerOf({ sessionToken }: SignatureClaim, { caller: { request }, verifyToken }: RequestContext): Promise<Caller> {
  const { authorization: _signature, 'x-amz-security-token': _token, ...headers } = request?.headers ?? {}
  const facts = request === undefined ? {} : { request: { ...request, headers } }
  if (sessionToken === undefined) return { role: 'service_role', claims: { role: 'service_role' }, ...facts }
  const verdict = await verifyToken?.(sessionToken)
  if (!verdict || 'fault' in verdict) throw invalidSessionToken()
  return { role: verdict.role, claims: verdict.claims, ...facts }
}

/**
 * Proves who signed a request, by header or by URL.
 *
 * @throws `AccessDenied`, `SignatureDoesNotMatch`, `RequestTimeTooSkewed` (403), `ExpiredToken`, `InvalidSignature`, `InvalidJWT` (400).
 */
export async function authenticate(request: Request, context: RequestContext, deps: AuthenticationDeps): Promise<Authenticated> {
  // The context's own URL is not what was sent: the gateway takes the API key out of it.
  const url = new URL(request.url)
  const claim = readRequestClaim(request.headers, url.searchParams)
  checkSignedHeaders(claim, request.headers)
  const payloadHash = readPayloadHash(claim, request.headers, url.searchParams)
  const signed = signedRequestOf(request, { url, origin: context.origin }, payloadHash)
  const signingKey = findSigningKey(claim, deps, (key) => signaturesOf(key, claim, signed))
  return { caller: await callerOf(claim, context), claim, signingKey, payloadHash }
}
