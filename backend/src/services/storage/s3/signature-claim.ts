import { accessDenied, invalidSignature } from './errors.ts'

/** The place and day a signing key is made for. */
export interface CredentialScope {
  /** `20261120` */
  day: string
  region: string
  service: string
}

/** Who a request says signed it, and how. Nothing of it is proven yet. */
export interface SignatureClaim {
  via: 'header' | 'query' | 'form'
  accessKeyId: string
  scope: CredentialScope
  /** Lower-case hexadecimal. */
  signature: string
  /** `20261120T175700Z` */
  moment: string
  /** Lower-case names in their own order; empty for a form, whose policy is what is signed. */
  signedHeaders: readonly string[]
  /** A user's access token: the request then counts as that person's. */
  sessionToken?: string
  /** Seconds a signed URL lives. */
  lifetimeSeconds?: number
}

const algorithm = 'AWS4-HMAC-SHA256'
// The longest life of a signed URL, as Amazon has it.
const longestLifeSeconds = 7 * 24 * 3600

interface ClaimParts {
  credential: string | null | undefined
  signature: string | null | undefined
  moment: string | null | undefined
  signedHeaders: string | null | undefined
  sessionToken: string | null | undefined
}

function readClaim(via: SignatureClaim['via'], parts: ClaimParts): SignatureClaim {
  const { credential, signature, moment, signedHeaders, sessionToken } = parts
  if (!credential || !signature || !moment || (via !== 'form' && !signedHeaders)) throw invalidSignature('Invalid signature format')
  // The id comes first and may hold slashes; the four parts of the scope may not.
  const pieces = credential.split('/')
  const [day, region, service, terminator] = pieces.slice(-4)
  const accessKeyId = pieces.slice(0, -4).join('/')
  if (!day || region === undefined || !service || terminator !== 'aws4_request' || accessKeyId === '') throw invalidSignature('Invalid credentials')
  if (!/^\d{8}T\d{6}Z$/.test(moment) || !moment.startsWith(day)) throw invalidSignature('Invalid signature format')
  if (!/^[0-9a-f]{64}$/.test(signature)) throw invalidSignature('Invalid signature format')
  return {
    via,
    accessKeyId,
    scope: { day, region, service },
    signature,
    moment,
    signedHeaders: (signedHeaders ?? '').split(';').filter((name) => name !== '').map((name) => name.toLowerCase()),
    ...(sessionToken ? { sessionToken } : {}),
  }
}

function readHeader(headers: Headers, authorization: string): SignatureClaim {
  const fields = new Map<string, string>()
  for (const part of authorization.slice(algorithm.length).split(',')) {
    const at = part.indexOf('=')
    if (at > 0) fields.set(part.slice(0, at).trim(), part.slice(at + 1).trim())
  }
  return readClaim('header', {
    credential: fields.get('Credential'),
    signature: fields.get('Signature'),
    signedHeaders: fields.get('SignedHeaders'),
    moment: headers.get('x-amz-date'),
    sessionToken: headers.get('x-amz-security-token'),
  })
}

function readQuery(query: URLSearchParams): SignatureClaim {
  if (query.get('X-Amz-Algorithm') !== algorithm) throw invalidSignature('Unsupported authorization type')
  const claim = readClaim('query', {
    credential: query.get('X-Amz-Credential'),
    signature: query.get('X-Amz-Signature'),
    signedHeaders: query.get('X-Amz-SignedHeaders'),
    moment: query.get('X-Amz-Date'),
    sessionToken: query.get('X-Amz-Security-Token'),
  })
  const lifetime = query.get('X-Amz-Expires') ?? ''
  const lifetimeSeconds = /^\d{1,7}$/.test(lifetime) ? Number(lifetime) : 0
  if (lifetimeSeconds < 1 || lifetimeSeconds > longestLifeSeconds) throw invalidSignature('Invalid expiration')
  return { ...claim, lifetimeSeconds }
}

/**
 * Reads the claim of a request that carries it in its header or its URL.
 *
 * @throws `AccessDenied` (403) when there is none, `InvalidSignature` (400) when it is not of its form.
 */
export function readRequestClaim(headers: Headers, query: URLSearchParams): SignatureClaim {
  const authorization = headers.get('authorization')
  // A signed URL may travel with a header of somebody else's: it must not hide the URL's own signature.
  if (authorization?.startsWith(`${algorithm} `) === true) return readHeader(headers, authorization)
  if (query.has('X-Amz-Credential')) return readQuery(query)
  throw accessDenied('Missing signature')
}

/** Reads the claim of a posted form. `fields` by lower-case name. */
export function readFormClaim(fields: ReadonlyMap<string, string>): SignatureClaim {
  if (!fields.has('x-amz-credential')) throw accessDenied('Missing signature')
  if (fields.get('x-amz-algorithm') !== algorithm) throw invalidSignature('Unsupported authorization type')
  return readClaim('form', {
    credential: fields.get('x-amz-credential'),
    signature: fields.get('x-amz-signature'),
    moment: fields.get('x-amz-date'),
    signedHeaders: undefined,
    sessionToken: fields.get('x-amz-security-token'),
  })
}
