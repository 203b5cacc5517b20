import type { DatabaseError } from '#database/database-error.ts'

/** HTTP status of a SQLSTATE, whole or by its class. @see PostgREST Error.hs, `pgErrorStatus` */
const byState: Readonly<Record<string, number>> = {
  '23503': 409, '23505': 409, '25006': 405, '42883': 404, '42P01': 404, '42P17': 500, '53400': 500, '57P01': 503, P0001: 400,
}
const byClass: Readonly<Record<string, number>> = {
  '08': 503, '09': 500, '0L': 403, '0P': 403, '25': 500, '28': 403, '2D': 500, '38': 500, '39': 500, '3B': 500, '40': 500, '53': 503, '54': 500,
  '55': 500, '57': 500, '58': 500, F0: 500, HV: 500, P0: 500, XX: 500,
}

export function databaseStatus({ sqlstate, message }: DatabaseError, signedIn: boolean): number {
  switch (sqlstate) {
    case '42501':
      return signedIn ? 403 : 401
    case '21000':
      return message.endsWith('requires a WHERE clause') ? 400 : 500
    case '22023':
      return /^role .* does not exist$/s.test(message) ? 401 : 400
    case '42883':
      return message.startsWith('function xmlagg(') ? 406 : 404
  }
  return byState[sqlstate] ?? byClass[sqlstate.slice(0, 2)] ?? 400
}
