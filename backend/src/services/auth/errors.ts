import { ServiceError } from '#contract/service-error.ts'

import { authErrorCatalogue, type AuthErrorCode } from './error-catalogue.ts'

/** What one call site says differently from the catalogue. */
export interface AuthErrorWords {
  status?: number
  message?: string
  headers?: Readonly<Record<string, string>>
  cause?: unknown
}

/** An expected failure by its code, with the catalogue's status and words unless told otherwise. */
export function authError(code: AuthErrorCode, words: AuthErrorWords = {}): ServiceError {
  const entry = authErrorCatalogue[code]
  return new ServiceError(
    {
      status: words.status ?? entry.status,
      code,
      message: words.message ?? entry.message ?? code,
      ...(words.headers ? { headers: words.headers } : {}),
    },
    words.cause === undefined ? undefined : { cause: words.cause },
  )
}

/** 400 `validation_failed`: the request itself is wrong. */
export const invalidRequest = (message: string): ServiceError => authError('validation_failed', { message })

/** 500: the database refused; the person is told where, not why. */
export const databaseFailure = (message: string, cause: unknown): ServiceError =>
  authError('unexpected_failure', { message, cause })

/** 429: one person asked for the same kind of mail or text twice within the interval. */
export const askedTooSoon = (secondsLeft: number, code: 'over_email_send_rate_limit' | 'over_sms_send_rate_limit' = 'over_email_send_rate_limit'): ServiceError =>
  authError(code, {
    message: `For security purposes, you can only request this after ${secondsLeft} seconds.`,
    headers: { 'retry-after': String(Math.max(1, secondsLeft)) },
  })

/** 422 `weak_password` with the reasons the official client reads. */
export const weakPassword = (message: string, reasons: readonly string[]): ServiceError =>
  new ServiceError({ status: 422, code: 'weak_password', message, extra: { weak_password: { reasons } } })

/** The dialect of OAuth endpoints: 400 `{ error, error_description }`. */
export const oauthError = (error: string, description: string): ServiceError =>
  new ServiceError({ status: 400, code: error, message: description, extra: { oauth: true } })
