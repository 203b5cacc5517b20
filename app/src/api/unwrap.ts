import { AppError, type AppErrorFacts, type AppErrorKind } from './app-error.ts'

interface ClientError {
  name?: unknown
  message?: unknown
  code?: unknown
  status?: unknown
  statusCode?: unknown
  details?: unknown
  hint?: unknown
  reasons?: unknown
  context?: { status?: unknown }
}

/** Codes whose HTTP status says less than they do. Classes of SQLSTATE stand as their first two characters. */
const kindByCode = new Map<string, AppErrorKind>(Object.entries({
  session_not_found: 'signed-out',
  session_expired: 'signed-out',
  refresh_token_not_found: 'signed-out',
  refresh_token_already_used: 'signed-out',
  bad_jwt: 'signed-out',
  no_authorization: 'signed-out',
  invalid_jwt: 'signed-out',
  PGRST300: 'broken',
  PGRST301: 'signed-out',
  PGRST302: 'signed-out',
  PGRST303: 'signed-out',
  PGRST116: 'missing',
  PGRST202: 'missing',
  PGRST205: 'missing',
  '42501': 'forbidden',
  '42P01': 'missing',
  '42883': 'missing',
  '57014': 'busy',
  '40001': 'busy',
  '40P01': 'busy',
  '53': 'busy',
  '22': 'invalid',
  '23502': 'invalid',
  '23514': 'invalid',
  '23': 'conflict',
  otp_expired: 'invalid',
  user_banned: 'forbidden',
  insufficient_aal: 'forbidden',
  flow_state_not_found: 'missing',
  signup_disabled: 'forbidden',
  request_timeout: 'busy',
  hook_timeout: 'busy',
  hook_timeout_after_retry: 'busy',
  conflict: 'busy',
  user_already_exists: 'conflict',
  email_exists: 'conflict',
  phone_exists: 'conflict',
  identity_already_exists: 'conflict',
} satisfies Record<string, AppErrorKind>))

function kindByStatus(status: number): AppErrorKind {
  if (status === 0) return 'offline'
  if (status === 401) return 'signed-out'
  if (status === 403) return 'forbidden'
  if (status === 404) return 'missing'
  if (status === 409) return 'conflict'
  if (status === 408 || status === 429 || status === 503 || status === 504) return 'busy'
  return status < 500 ? 'invalid' : 'broken'
}

const kindOf = (code: string, status: number): AppErrorKind =>
  kindByCode.get(code) ?? (/^[0-9A-Z]{5}$/.test(code) ? kindByCode.get(code.slice(0, 2)) : undefined) ?? kindByStatus(status)

const text = (value: unknown) => (typeof value === 'string' ? value : '')

/** The official client renames a few answers into error classes of its own, and drops the code on the way. */
function codeOf(error: ClientError): string {
  if (error.name === 'AuthSessionMissingError') return 'session_not_found'
  if (error.name === 'AuthPKCECodeVerifierMissingError') return 'pkce_code_verifier_not_found'
  if (error.name === 'AuthWeakPasswordError') return 'weak_password'
  const code = text(error.code)
  if (code) return code
  const { statusCode } = error
  return typeof statusCode === 'string' && !/^\d+$/.test(statusCode) ? statusCode : ''
}

/** Each part of the official client keeps the HTTP status somewhere else: storage, auth, functions, and beside the error for rest. */
function statusOf(error: ClientError, beside: number | undefined): number {
  const found = [error.statusCode, error.status, error.context?.status, beside].map(Number).find((status) => status > 0)
  return found ?? 0
}

/** True for failures that are the program's own, not the project's: they keep their class and end in the error boundary. */
const isOwnMistake = (error: unknown) => error instanceof TypeError && !/fetch|network|load failed/i.test(error.message)

/** Turns whatever a call failed with into the one shape screens know. */
export function toAppError(error: unknown, status?: number): AppError {
  if (error instanceof AppError) return error
  const given = (typeof error === 'object' && error !== null ? error : { message: String(error) }) as ClientError
  const code = codeOf(given)
  const found = statusOf(given, status)
  const facts: AppErrorFacts = { code, status: found, details: text(given.details), hint: text(given.hint), cause: error }
  if (Array.isArray(given.reasons)) facts.extra = { reasons: given.reasons }
  const kind = isOwnMistake(error) ? 'broken' : kindOf(code, found)
  return new AppError(kind, text(given.message), facts)
}

interface Answer {
  data?: unknown
  error: unknown
  status?: number
}

type Good<A extends Answer> = Extract<A, { error: null }>

/**
 * Gives the data of an official answer.
 *
 * @throws AppError when the answer is a failure, or none came.
 */
export async function unwrap<A extends Answer>(call: PromiseLike<A>): Promise<Good<A>['data']> {
  return (await unwrapAnswer(call)).data
}

/** Gives the whole good answer, for its `count`. */
export async function unwrapAnswer<A extends Answer>(call: PromiseLike<A>): Promise<Good<A>> {
  let answer: A
  try {
    answer = await call
  } catch (error) {
    throw toAppError(error)
  }
  if (answer.error) throw toAppError(answer.error, answer.status)
  return answer as Good<A>
}
