import type { Caller, RequestFacts } from './caller.ts'
import type { Logger } from './logger.ts'

/** Why the bearer token of a request was not accepted. The caller is then the API key's own role. */
export type TokenFault = 'malformed' | 'expired' | 'not-yet-valid' | 'bad-signature' | 'unknown-key' | 'wrong-issuer' | 'unknown-role'

/** What the gateway found out about one request before it handed it on. */
export interface RequestContext {
  requestId: string
  caller: Caller
  /** Set when a bearer token was sent and refused; the service answers in its own dialect. */
  tokenFault?: TokenFault
  /** The accepted bearer token itself, for services that look up its session. Never log it. */
  token?: string
  /** The client's address as the socket (or a trusted proxy) tells it. */
  ip: string
  /** Scheme, host and port the client used: `http://127.0.0.1:54321`. */
  origin: string
  /** Below the mount, leading slash, no query: `/token`. */
  path: string
  /** The request's URL, parsed once. */
  url: URL
  /** Checks a token that came by another road than the bearer's: inside a signature. */
  verifyToken?(token: string): Promise<TokenVerdict>
  log: Logger
}

/** What a token or key stands for, or why it stands for nothing. */
export type TokenVerdict =
  | {
      role: string
      claims: Readonly<Record<string, unknown>>
      /** One of the project's own keys; its claims may be the role alone. */
      isKey: boolean
    }
  | { fault: TokenFault }

/** A connection that asks to become a WebSocket. Whoever is given it answers on the socket, or destroys it. */
export interface Upgrade {
  // Named in place, as types: this folder imports nothing that does anything.
  request: import('node:http').IncomingMessage
  socket: import('node:stream').Duplex
  /** What came behind the request's headers. */
  head: Buffer
}

/** What the gateway found out about an upgrade before it handed it on. */
export interface UpgradeContext {
  requestId: string
  /** What the handshake's key or token stands for; undefined when it carried none. */
  identity: TokenVerdict | undefined
  /** What policies may read about the handshake. */
  facts: RequestFacts
  ip: string
  /** Below the mount, leading slash, no query: `/websocket`. */
  path: string
  /** The request's URL without its key. */
  url: URL
  /** Checks a token that comes later, over the connection, as one in a request is checked. */
  verifyToken(token: string): Promise<TokenVerdict>
  log: Logger
}

/** One hosted API, mounted by the gateway below its prefix. */
export interface Service {
  /** Answers a request, or throws `ServiceError` for an expected failure. */
  handle(request: Request, context: RequestContext): Promise<Response>
  /** Renders any failure in the service's dialect. Told nothing but a 500 for what is not a `ServiceError` or a `DatabaseError` it knows. */
  renderError(error: unknown, request: Request, context: RequestContext): Response
  /**
   * Answers a connection that asks to become a WebSocket; left out by services that take none.
   *
   * @returns the HTTP status that was answered, 101 when it became one.
   */
  upgrade?(upgrade: Upgrade, context: UpgradeContext): Promise<number>
  /** Tells every upgraded connection to come back later, and closes it. Settles when all are closed. */
  endUpgraded?(): Promise<void>
}
