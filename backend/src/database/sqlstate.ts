import type { DatabaseError } from './database-error.ts'

const statusOfState: Readonly<Record<string, number>> = {
  '23001': 409, // `on delete restrict`, which servers before 18 report as 23503
  '23503': 409, // foreign key violation
  '23505': 409, // unique violation
  '25006': 405, // write in a read-only transaction
  '42883': 404, // undefined function
  '42P01': 404, // undefined table
  '42P17': 500, // infinite recursion in a policy
  '53400': 500, // configuration limit exceeded
  '57P01': 503, // ended by the administrator, or with the embedded engine
  '57P02': 503, // the statement ended the embedded engine
  '57P03': 503, // not taking connections
  P0001: 400, // `raise exception`
}

const statusOfClass: Readonly<Record<string, number>> = {
  '08': 503, // connection
  '09': 500, // triggered action
  '0L': 403, // invalid grantor
  '0P': 403, // invalid role
  '25': 500, // transaction state
  '28': 403, // authorization
  '2D': 500, // transaction termination
  '38': 500, // external routine
  '39': 500, // external routine invocation
  '3B': 500, // savepoint
  '40': 500, // transaction rollback
  '53': 503, // insufficient resources
  '54': 500, // program limit
  '55': 500, // object not in the needed state
  '57': 500, // operator intervention, `statement_timeout` among it
  '58': 500, // system error
  F0: 500, // configuration file
  HV: 500, // foreign data wrapper
  P0: 500, // PL/pgSQL
  XX: 500, // internal error
}

// `raise sqlstate 'PT402'` chooses the status; what is no HTTP status is the function's own fault.
function chosenStatus(sqlstate: string): number {
  const status = /^PT\d{3}$/.test(sqlstate) ? Number(sqlstate.slice(2)) : 500
  return status >= 200 && status <= 599 ? status : 500
}

/**
 * The HTTP status of a database failure, 400 for whatever is not listed. `signedIn` tells a refusal that signing in might lift
 * (42501: 401) from one that it would not (403).
 *
 * @see PostgREST docs/references/errors, "HTTP Status Codes"; Error.hs, `pgErrorStatus`
 */
export function httpStatusOf({ sqlstate, message }: Pick<DatabaseError, 'sqlstate' | 'message'>, signedIn: boolean): number {
  if (sqlstate.startsWith('PT')) return chosenStatus(sqlstate)
  switch (sqlstate) {
    case '42501':
      return signedIn ? 403 : 401
    case '21000': // pg-safeupdate's refusal is the client's fault, several rows from a subquery are not
      return message.endsWith('requires a WHERE clause') ? 400 : 500
    case '22023': // the token names a role that does not exist
      return /^role .* does not exist$/s.test(message) ? 401 : 400
    case '42883':
      return message.startsWith('function xmlagg(') ? 406 : 404
  }
  return statusOfState[sqlstate] ?? statusOfClass[sqlstate.slice(0, 2)] ?? 400
}
