import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** A client that may send people here. */
export interface IdentityClient {
  clientId: string
  /** What it is to the project: `local`, or the provider it stands in for. */
  provider: string
  redirectUris: readonly string[]
}

/** What a client asked for, checked. */
export interface AuthorizationRequest {
  client: IdentityClient
  redirectUri: string
  /** Handed back as it came; empty: none. */
  state: string
  nonce: string
  scope: string
  challenge: string
  loginHint: string
}

/** Why a request is not taken: told to the client where it may be, to the person otherwise. */
export type Refusal = { to: 'person'; words: string } | { to: 'client'; redirectUri: string; state: string; error: string; description: string }

function readClient(clients: readonly IdentityClient[], query: URLSearchParams): { client: IdentityClient; redirectUri: string } | Refusal {
  const [clientId, redirectUri] = [query.get('client_id') ?? '', query.get('redirect_uri') ?? '']
  const known = clients.filter((one) => one.clientId === clientId)
  if (known.length === 0) return { to: 'person', words: 'No provider of this project has the client id that was asked with.' }
  const client = known.find((one) => one.redirectUris.includes(redirectUri))
  return client ? { client, redirectUri } : { to: 'person', words: 'The address to return to is not the one of this project.' }
}

/** Reads the query of an authorization request. */
export function readRequest(clients: readonly IdentityClient[], query: URLSearchParams): AuthorizationRequest | Refusal {
  const found = readClient(clients, query)
  if ('to' in found) return found
  const { client, redirectUri } = found
  const text = (name: string) => query.get(name) ?? ''
  const refuse = (error: string, description: string): Refusal => ({ to: 'client', redirectUri, state: text('state'), error, description })
  if (text('response_type') !== 'code') return refuse('unsupported_response_type', 'only the code flow is known')
  if (!text('scope').split(' ').includes('openid')) return refuse('invalid_scope', 'openid must be asked for')
  if (text('prompt').split(' ').includes('none')) return refuse('login_required', 'somebody has to choose who they are')
  if (text('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(text('code_challenge'))) return refuse('invalid_request', 'PKCE with S256 is required')
  return { client, redirectUri, state: text('state'), nonce: text('nonce'), scope: text('scope'), challenge: text('code_challenge'), loginHint: text('login_hint') }
}

/** Whether a verifier is the one its challenge was made from. */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  const made = createHash('sha256').update(verifier).digest('base64url')
  return made.length === challenge.length && timingSafeEqual(Buffer.from(made), Buffer.from(challenge))
}

/** Things that are handed out under a secret name and taken back once. */
export interface Lent<T> {
  lend(thing: T): string
  /** The thing, once, while it is not too old. */
  take(name: string): T | undefined
  /** The thing, as often as asked, while it is not too old. */
  look(name: string): T | undefined
}

const mostLent = 1000

/** @param now milliseconds since the epoch. */
export function createLent<T>(lifetimeMs: number, now: () => number): Lent<T> {
  const lent = new Map<string, { thing: T; until: number }>()
  const look = (name: string): T | undefined => {
    const found = lent.get(name)
    return found && found.until >= now() ? found.thing : undefined
  }
  return {
    lend(thing) {
      const oldest = lent.size >= mostLent ? lent.keys().next().value : undefined
      if (oldest !== undefined) lent.delete(oldest)
      const name = randomBytes(32).toString('base64url')
      lent.set(name, { thing, until: now() + lifetimeMs })
      return name
    },
    take(name) {
      const thing = look(name)
      lent.delete(name)
      return thing
    },
    look,
  }
}
