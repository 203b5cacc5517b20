import { AppError } from './app-error.ts'
import { toAppError } from './unwrap.ts'

/** What a browser says when a key or passkey could not be used: by the official client's word, then by the browser's own. */
const codes = new Map(Object.entries({
  ERROR_CEREMONY_ABORTED: 'portico_key_cancelled',
  NotAllowedError: 'portico_key_cancelled',
  AbortError: 'portico_key_cancelled',
  ERROR_INVALID_DOMAIN: 'portico_key_wrong_place',
  ERROR_INVALID_RP_ID: 'portico_key_wrong_place',
  SecurityError: 'portico_key_wrong_place',
  ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED: 'portico_key_known',
  InvalidStateError: 'portico_key_known',
  NotSupportedError: 'portico_key_unfit',
}))

/** True where this page can use keys and passkeys at all: in a secure place, in a browser that knows them. */
export const canUseKeys = (): boolean => typeof PublicKeyCredential === 'function'

/**
 * Puts the failure of a key's or passkey's ceremony into an `AppError`. What the browser said has a code of ours
 * (`portico_key_cancelled`, `…_wrong_place`, `…_known`, `…_unfit`); what the server said keeps its own.
 */
export function toCeremonyError(failure: unknown): AppError {
  const given = (typeof failure === 'object' && failure !== null ? failure : {}) as { code?: unknown; name?: unknown; message?: unknown; originalError?: unknown; cause?: unknown }
  const code = codes.get(String(given.code)) ?? codes.get(String(given.name))
  const message = typeof given.message === 'string' ? given.message : ''
  if (code) return new AppError('invalid', message, { code, cause: failure })
  const within = given.originalError ?? (given.code === 'ERROR_PASSTHROUGH_SEE_CAUSE_PROPERTY' ? given.cause : undefined)
  if (within) return toCeremonyError(within)
  return String(given.code).startsWith('ERROR_') ? new AppError('invalid', message, { code: 'portico_key_unfit', cause: failure }) : toAppError(failure)
}

interface CeremonyAnswer {
  data: unknown
  error: unknown
}

/**
 * Gives the data of a ceremony.
 *
 * @throws AppError with the code of `toCeremonyError`; `portico_key_unsupported` where the page can use no keys.
 */
export async function unwrapCeremony<A extends CeremonyAnswer>(ceremony: () => Promise<A>): Promise<NonNullable<A['data']>> {
  if (!canUseKeys()) throw new AppError('invalid', '', { code: 'portico_key_unsupported' })
  let answer: A
  try {
    answer = await ceremony()
  } catch (failure) {
    throw toCeremonyError(failure)
  }
  if (answer.error) throw toCeremonyError(answer.error)
  return answer.data as NonNullable<A['data']>
}
