import { ServiceError, type ServiceErrorFacts } from '#contract/service-error.ts'

/** Every failure of a function that is not the function's own answer. @see supabase/cli internal/functions/serve/templates/main.ts */

const failure = (facts: ServiceErrorFacts, cause?: unknown): ServiceError => new ServiceError(facts, { cause })

// The official client makes a FunctionsRelayError of an answer marked like this, a FunctionsHttpError of any other.
const byRelay = { 'x-relay-error': 'true' }

export const functionNotFound = (): ServiceError => failure({ status: 404, code: 'not_found', message: 'Function not found' })

export const invalidJwt = (): ServiceError => failure({ status: 401, code: 'unauthorized', message: 'Invalid JWT', headers: byRelay })

export const missingAuthorization = (): ServiceError =>
  failure({ status: 401, code: 'unauthorized', message: 'Error: Missing authorization header', headers: byRelay })

export const notABearerToken = (): ServiceError =>
  failure({ status: 401, code: 'unauthorized', message: "Error: Auth header is not 'Bearer {token}'", headers: byRelay })

export const bootFailed = (cause?: unknown): ServiceError =>
  failure({ status: 503, code: 'BOOT_ERROR', message: 'Worker failed to boot (please check logs)' }, cause)

export const workerFailed = (cause?: unknown): ServiceError =>
  failure({ status: 500, code: 'WORKER_ERROR', message: 'Function exited due to an error (please check logs)' }, cause)

export const workerLimitReached = (): ServiceError =>
  failure({ status: 546, code: 'WORKER_LIMIT', message: 'Worker failed to respond due to a resource limit (please check logs)' })

export const readTimedOut = (seconds: number): ServiceError =>
  failure({ status: 504, code: 'IDLE_TIMEOUT', message: `Request idle timeout limit (${seconds}s) reached` })

/** Nobody reads it; the line in the log says what happened. */
export const callerGone = (): ServiceError => failure({ status: 499, code: 'CALLER_GONE', message: 'The caller went away' })

export const tooManyRequests = (message: string): ServiceError =>
  failure({ status: 429, code: 'TOO_MANY_REQUESTS', message, headers: { 'retry-after': '1' } })

/** There is nothing to run functions with; the message says what to do. */
export const noRuntime = (message: string): ServiceError => failure({ status: 501, code: 'NOT_IMPLEMENTED', message, headers: byRelay })

export const logsForbidden = (): ServiceError =>
  failure({ status: 403, code: 'FORBIDDEN', message: 'The logs of functions are for the secret key only' })

export const logsNotUnderstood = (message: string): ServiceError => failure({ status: 400, code: 'BAD_REQUEST', message })

const unexpected: ServiceErrorFacts = { status: 500, code: 'Internal Server Error', message: 'Request failed due to an internal server error' }

/** Renders a failure as the hosted runtime does: text for an unknown function, `msg` for a refused token, else `code` and `message`. */
export function renderFailure(error: unknown): Response {
  const { status, code, message, headers = {} } = error instanceof ServiceError ? error : unexpected
  if (status === 404) return new Response(message, { status, headers: { 'content-type': 'text/plain', ...headers } })
  if (status === 401) return Response.json({ msg: message }, { status, headers })
  return Response.json({ code, message }, { status, headers })
}
