import { ServiceError } from '#contract/service-error.ts'
import { DatabaseError } from '#database/database-error.ts'
import { describeFailure, type DatabaseFailure } from './database-failure.ts'
import { toResponse } from './reply/response.ts'

export interface FailureContext {
  method: string
  /** Whether the caller has more than the anonymous role: what is forbidden to nobody in particular asks for a token. */
  signedIn: boolean
}

interface Failure extends Omit<DatabaseFailure, 'details'> {
  details: unknown
}

const unexpected: Failure = { status: 500, code: 'PGRSTX00', message: 'Internal server error', details: null, hint: null, headers: {} }

const describeError = ({ status, code, message, details, hint, headers, extra }: ServiceError): Failure => ({
  status, code, message, details: 'details' in extra ? extra.details : details, hint, headers,
})

function describe(error: unknown, signedIn: boolean): Failure {
  if (error instanceof ServiceError) return describeError(error)
  if (!(error instanceof DatabaseError)) return unexpected
  const described = describeFailure(error, signedIn)
  return described instanceof ServiceError ? describeError(described) : described
}

/** A failure in the data API's dialect: `{code, message, details, hint}`. */
export function renderFailure(error: unknown, { method, signedIn }: FailureContext): Response {
  const { status, statusText, code, message, details, hint, headers } = describe(error, signedIn)
  const body = JSON.stringify({ code, details, hint, message })
  return toResponse(
    {
      status,
      headers: {
        'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(Buffer.byteLength(body)),
        'Proxy-Status': `PostgREST; error=${code}`, ...headers,
      },
      body: method === 'HEAD' ? null : body,
    },
    statusText,
  )
}
