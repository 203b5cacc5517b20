import { ServiceError } from '#contract/service-error.ts'
import { json } from './reply.ts'

const internal = { statusCode: '500', error: 'Internal', message: 'Internal Server Error', code: 'InternalError' }

// The gateway's own refusals have no word in this catalogue.
const ownWord: Readonly<Record<string, { code: string; error: string }>> = { request_entity_too_large: { code: 'EntityTooLarge', error: 'Payload too large' } }

/**
 * Writes a failure as the JSON API does: the true status in the body, 400 outside of it.
 *
 * @see supabase/storage src/http/error-handler.ts
 */
export function renderFailure(error: unknown): Response {
  if (!(error instanceof ServiceError)) return json(internal, { status: 500 })
  const { httpStatus, error: word } = error.extra as { httpStatus?: number; error?: string }
  const { code, error: given = word ?? code } = ownWord[error.code] ?? { code: error.code }
  const body = { statusCode: String(error.status), error: given, message: error.message, code }
  return json(body, { status: httpStatus ?? (error.status === 500 ? 500 : 400), headers: error.headers })
}
