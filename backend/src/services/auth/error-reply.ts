import { ServiceError } from '#contract/service-error.ts'

import { authError } from './errors.ts'

/** From this date on the API answers `{ code: '<error_code>', message }`; before it, `{ code: <status>, error_code, msg }`. */
const newDialectSince = '2024-01-01'

const versionHeader = 'x-supabase-api-version'

/** The API version a request asked for, as far as this API knows versions; undefined: the first one. */
export function apiVersion(request: Request): string | undefined {
  const asked = request.headers.get(versionHeader) ?? ''
  if (!/^\d{4}-\d{2}-\d{2}$/.test(asked) || Number.isNaN(Date.parse(asked))) return undefined
  return asked >= newDialectSince ? newDialectSince : undefined
}

function oauthBody(error: ServiceError): Record<string, unknown> {
  return { error: error.code, error_description: error.message }
}

function initialBody(error: ServiceError, requestId: string): Record<string, unknown> {
  return {
    code: error.status,
    error_code: error.code,
    msg: error.message,
    ...(error.status >= 500 ? { error_id: requestId } : {}),
    ...error.extra,
  }
}

/**
 * Renders a failure in the dialect the client asked for. What is not an expected failure is a 500 that tells nothing.
 *
 * @see supabase/auth internal/api/errors.go, `handleResponseError`
 */
export function errorReply(failure: unknown, request: Request, requestId: string): Response {
  const error = failure instanceof ServiceError ? failure : authError('unexpected_failure')
  const version = apiVersion(request)
  const headers = new Headers({ 'content-type': 'application/json', ...error.headers })
  if (version) headers.set(versionHeader, version)
  if (error.extra.oauth === true) return new Response(JSON.stringify(oauthBody(error)), { status: error.status, headers })

  headers.set('x-sb-error-code', error.code)
  const body = version ? { code: error.code, message: error.message, ...error.extra } : initialBody(error, requestId)
  return new Response(JSON.stringify(body), { status: error.status, headers })
}
