import { ServiceError } from '#contract/service-error.ts'
import type { AuthErrorCode } from '#services/auth/error-catalogue.ts'
import { authError } from '#services/auth/errors.ts'

// What the protocol calls the failures that the hosted backend answers in its own dialect.
const protocolWords: Readonly<Partial<Record<string, string>>> = {
  invalid_credentials: 'invalid_client',
  refresh_token_not_found: 'invalid_grant',
  refresh_token_already_used: 'invalid_grant',
  session_not_found: 'invalid_grant',
  session_expired: 'invalid_grant',
  user_banned: 'invalid_grant',
  bad_json: 'invalid_request',
  validation_failed: 'invalid_request',
}

/** A failure of the hosted dialect that also carries `error` and `error_description`, which every OAuth library reads. */
export function inBothDialects(failure: ServiceError): ServiceError {
  const error = failure.extra.oauth === true ? undefined : protocolWords[failure.code]
  if (error === undefined) return failure
  const { status, code, message, headers } = failure
  return new ServiceError({ status, code, message, headers, extra: { ...failure.extra, error, error_description: message } }, { cause: failure.cause })
}

export const tokenFailure = (code: AuthErrorCode, message: string): ServiceError => inBothDialects(authError(code, { message }))
