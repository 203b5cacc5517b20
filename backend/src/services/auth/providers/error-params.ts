import { ServiceError } from '#contract/service-error.ts'

import type { Auth } from '#services/auth/auth.ts'
import type { Call } from '#services/auth/call.ts'
import { authError } from '#services/auth/errors.ts'

const oauthWords: Readonly<Record<number, string>> = { 400: 'invalid_request', 401: 'unauthorized_client', 403: 'access_denied', 503: 'temporarily_unavailable' }
const deniedCodes = new Set(['signup_disabled', 'user_banned', 'provider_email_needs_verification'])

/** A failure as the browser carries it. @see supabase/auth internal/api/external.go, `getErrorQueryString` */
export function errorParams(failure: ServiceError): Record<string, string> {
  if (failure.extra.oauth === true) return { error: failure.code, error_description: failure.message }
  const error = deniedCodes.has(failure.code) ? 'access_denied' : (oauthWords[failure.status] ?? 'server_error')
  return { error, error_description: failure.message, error_code: failure.code }
}

/** What of a failure may be told; the rest is logged. */
export function failureOf(auth: Auth, call: Call, error: unknown): ServiceError {
  // What has no cause was written down where it happened.
  if (error instanceof ServiceError && error.cause === undefined) return error
  auth.logger.error('a visit to a provider failed', { requestId: call.context.requestId, error })
  return error instanceof ServiceError ? error : authError('unexpected_failure')
}

