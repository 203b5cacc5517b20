import { ServiceError } from '#contract/service-error.ts'
import type { DatabaseError } from '#database/database-error.ts'
import { httpStatusOf } from '#database/sqlstate.ts'
import { raisedDetailNotUnderstood, raisedMessageNotUnderstood } from './errors.ts'

/** What Postgres refused, as the data API tells it. */
export interface DatabaseFailure {
  status: number
  statusText?: string
  code: string
  message: string
  details: string | null
  hint: string | null
  headers: Readonly<Record<string, string>>
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function parseObject(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null)

// `raise sqlstate 'PGRST'` carries the whole reply: its body in the message, status and headers in the detail.
function raisedReply({ message, facts: { detail } }: DatabaseError): DatabaseFailure {
  const said = parseObject(message)
  if (typeof said?.code !== 'string' || typeof said.message !== 'string') throw raisedMessageNotUnderstood(message)
  const meant = parseObject(detail)
  if (typeof meant?.status !== 'number' || !isObject(meant.headers)) throw raisedDetailNotUnderstood(detail)
  const headers = Object.entries(meant.headers).map(([name, value]) => [name, String(value)] as const)
  return {
    status: meant.status, code: said.code, message: said.message, details: textOrNull(said.details), hint: textOrNull(said.hint),
    headers: Object.fromEntries(headers), ...(typeof meant.status_text === 'string' ? { statusText: meant.status_text } : {}),
  }
}

/** Describes a database's failure; one that cannot be described is described by a failure of its own. */
export function describeFailure(error: DatabaseError, signedIn: boolean): DatabaseFailure | ServiceError {
  const { sqlstate, message, facts } = error
  if (sqlstate === 'PGRST') {
    try {
      return raisedReply(error)
    } catch (fault) {
      if (fault instanceof ServiceError) return fault
      throw fault
    }
  }
  const status = httpStatusOf(error, signedIn)
  return {
    status, code: sqlstate, message, details: facts.detail ?? null, hint: facts.hint ?? null,
    headers: status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {},
    // `raise sqlstate 'PT402'` names its status.
    ...(sqlstate.startsWith('PT') ? { statusText: message } : {}),
  }
}
