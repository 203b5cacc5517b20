import type { Caller } from './caller.ts'
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
  log: Logger
}

/** One hosted API, mounted by the gateway below its prefix. */
export interface Service {
  /** Answers a request, or throws `ServiceError` for an expected failure. */
  handle(request: Request, context: RequestContext): Promise<Response>
  /** Renders any failure in the service's dialect. Told nothing but a 500 for what is not a `ServiceError` or a `DatabaseError` it knows. */
  renderError(error: unknown, request: Request, context: RequestContext): Response
}
