import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { invalidRequest } from './errors.ts'
import type { CredentialScope, SignatureClaim } from './signature-claim.ts'

/** What of a request a signature covers. */
export interface SignedRequest {
  method: string
  /** As it was sent, percent-encoding and all, with the public prefix. */
  pathname: string
  /** Without its `?`, as it was sent. */
  query: string
  headers: Headers
  /** Names this server is reached under, as a `Host` header spells them; any of them may have been signed. */
  hosts: readonly string[]
  /** Hash of the body in hexadecimal, or the word that stands for it. */
  payloadHash: string
}

const sha256Hex = (text: string): string => createHash('sha256').update(text).digest('hex')
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The key of one day, region and service; all signatures of a request are made with it. */
export function deriveSigningKey(secret: string, { day, region, service }: CredentialScope): Buffer {
  return hmac(hmac(hmac(hmac(`AWS4${secret}`, day), region), service), 'aws4_request')
}

export const scopeText = ({ day, region, service }: CredentialScope): string => `${day}/${region}/${service}/aws4_request`

/** Compares two signatures without telling by its time where they differ. */
export function isSameSignature(made: string, given: string): boolean {
  const [a, b] = [Buffer.from(made), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Percent-encodes as RFC 3986 wants: all but letters, digits and `-._~`. */
export const encodeStrictly = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidRequest('The request URL is not well encoded')
  }
}

const order = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

function canonicalQuery(query: string): string {
  const pairs = query.split('&').filter((part) => part !== '').map((part) => {
    const at = part.indexOf('=')
    const [name, value] = at < 0 ? [part, ''] : [part.slice(0, at), part.slice(at + 1)]
    return [name, value].map((text) => encodeStrictly(decode(text.replaceAll('+', ' ')))) as [string, string]
  })
  return pairs
    .filter(([name]) => name !== 'X-Amz-Signature')
    .sort(([nameA, valueA], [nameB, valueB]) => order(nameA, nameB) || order(valueA, valueB))
    .map(([name, value]) => `${name}=${value}`)
    .join('&')
}

// A client signs the path as it sends it, or encoded by the strict rule while its HTTP library sends it by a laxer one.
function canonicalPaths(pathname: string): string[] {
  const strict = pathname.split('/').map((part) => encodeStrictly(decode(part))).join('/')
  return strict === pathname ? [pathname] : [pathname, strict]
}

const squeeze = (value: string): string => value.trim().replace(/ +/g, ' ')

function canonicalHeaders({ headers }: SignedRequest, names: readonly string[], host: string): string {
  return names.map((name) => `${name}:${squeeze(name === 'host' ? host : (headers.get(name) ?? ''))}\n`).join('')
}

function canonicalRequests(claim: SignatureClaim, request: SignedRequest): string[] {
  const names = claim.signedHeaders.toSorted(order)
  const query = canonicalQuery(request.query)
  return canonicalPaths(request.pathname).flatMap((path) =>
    request.hosts.map((host) =>
      [request.method, path, query, canonicalHeaders(request, names, host), names.join(';'), request.payloadHash].join('\n')))
}

/**
 * Signs what a request is, in each form its client may have signed. One for each name of this host and each spelling of the path:
 * they all say the same request.
 *
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
 */
export function signaturesOf(key: Buffer, claim: SignatureClaim, request: SignedRequest): string[] {
  return canonicalRequests(claim, request).map((text) =>
    hmac(key, ['AWS4-HMAC-SHA256', claim.moment, scopeText(claim.scope), sha256Hex(text)].join('\n')).toString('hex'))
}

/** Signs the policy of a posted form, as its base64 text. */
export const signPolicy = (key: Buffer, policy: string): string => hmac(key, policy).toString('hex')

const emptyHash = sha256Hex('')

/** The signatures inside a body in chunks: each covers the one before it, so that no chunk can be left out, added or moved. */
export interface ChunkSigner {
  /** @param hash SHA-256 of the chunk's bytes, hexadecimal. */
  signChunk(hash: string): string
  /** @param hash SHA-256 of the trailing headers, hexadecimal. */
  signTrailer(hash: string): string
}

/** Starts the chain of chunk signatures at the request's own. */
export function createChunkSigner(key: Buffer, claim: SignatureClaim): ChunkSigner {
  let previous = claim.signature
  const sign = (kind: string, hashes: readonly string[]) => {
    previous = hmac(key, [kind, claim.moment, scopeText(claim.scope), previous, ...hashes].join('\n')).toString('hex')
    return previous
  }
  return {
    signChunk: (hash) => sign('AWS4-HMAC-SHA256-PAYLOAD', [emptyHash, hash]),
    signTrailer: (hash) => sign('AWS4-HMAC-SHA256-TRAILER', [hash]),
  }
}
