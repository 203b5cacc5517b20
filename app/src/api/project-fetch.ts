import { shownPath, type CallLog } from './call-log.ts'
import type { ConnectionWatch } from './connection.ts'

/** What the auth service said last about the session itself, where the official client keeps only "missing". */
export interface Verdict {
  /** `session_not_found`, `refresh_token_already_used`, `user_banned`, … */
  code: string
  /** Milliseconds since the epoch. */
  at: number
}

export interface FetchParts {
  /** The real one: `globalThis.fetch` in the product. */
  fetch: typeof fetch
  log: CallLog
  connection: ConnectionWatch
  /** The project's public key. */
  key: string
  /** False while someone is signed in: a call with the project's key where their token belongs is then held back. */
  mayAskAsNobody: () => boolean
  onVerdict: (verdict: Verdict) => void
  /** Called when any service refuses the access token itself. */
  onRefusedToken: () => void
}

const verdictCodes = new Set([
  'session_not_found',
  'session_expired',
  'refresh_token_not_found',
  'refresh_token_already_used',
  'user_banned',
  'user_not_found',
  'bad_jwt',
])

const serviceOf = (path: string) => /\/(auth|rest|storage|realtime|functions)\/v1(?:\/|$)/.exec(path)?.[1] ?? ''

/** The auth service names its error in a header; a browser may not read it across origins, the body is always readable. */
async function readErrorCode(response: Response): Promise<string> {
  const named = response.headers.get('x-sb-error-code') ?? response.headers.get('sb-error-code')
  if (named) return named
  // A function may refuse in a stream that never ends.
  if (!response.headers.get('content-type')?.includes('json')) return ''
  try {
    const body: unknown = await response.clone().json()
    const { code, error_code } = (body ?? {}) as { code?: unknown; error_code?: unknown }
    return typeof error_code === 'string' ? error_code : typeof code === 'string' ? code : ''
  } catch {
    return ''
  }
}

/**
 * The official client asks as nobody when it cannot renew a token: tables then look empty instead of unreachable.
 * The answer given here says "not now", which screens know how to wait for.
 */
const notNow = () =>
  Response.json({ code: 'portico_session_unready', message: 'The session could not be renewed yet.' }, { status: 503 })

/**
 * The one fetch every part of the official client is given.
 * Our own cookies never travel to the project: they hold the session, and a large one would not fit its headers twice. The one
 * call that begins a visit to a provider is different: the project may give this browser a cookie to know it by when it comes back.
 */
export function createProjectFetch(parts: FetchParts): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input.toString())
    const at = Date.now()
    const about = { at, method: init?.method ?? (input instanceof Request ? input.method : 'GET'), path: shownPath(url), service: serviceOf(url.pathname) }
    const token = new Headers(init?.headers).get('authorization')?.replace('Bearer ', '')
    const isPublic = !token || token === parts.key
    const done = (response?: Response, errorCode = '') => {
      const size = response?.headers.get('content-length') ?? null
      const requestId = response?.headers.get('sb-request-id') ?? response?.headers.get('x-request-id') ?? ''
      const answer = { status: response?.status ?? 0, durationMs: Date.now() - at, requestId, errorCode, sizeBytes: size === null ? null : Number(size) }
      parts.log.add({ ...about, ...answer, role: isPublic ? 'public' : 'user' })
    }
    if (about.service !== 'auth' && token === parts.key && !parts.mayAskAsNobody()) return notNow()
    let response: Response
    try {
      response = await parts.fetch(input, { ...init, credentials: url.pathname.endsWith('/user/identities/authorize') ? 'same-origin' : 'omit' })
    } catch (error) {
      done()
      // A call the app itself gave up says nothing about the network, nor does a function that admits no browser.
      if (!init?.signal?.aborted && about.service !== 'functions') parts.connection.report('offline')
      throw error
    }
    parts.connection.report('online')
    const errorCode = response.ok ? '' : await readErrorCode(response)
    done(response, errorCode)
    if (about.service === 'auth' && verdictCodes.has(errorCode)) parts.onVerdict({ code: errorCode, at: Date.now() })
    // A function may answer 401 itself; what stands before it marks its own refusal.
    const isOwn = about.service === 'functions' && !response.headers.get('x-relay-error')
    if (about.service !== 'auth' && response.status === 401 && !isOwn) parts.onRefusedToken()
    return response
  }
}
