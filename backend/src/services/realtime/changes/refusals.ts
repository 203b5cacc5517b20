import { DatabaseError } from '#database/database-error.ts'
import { describeWanted, type Wanted } from './asked.ts'
import { faultOfPattern } from './pattern-cost.ts'

/** The channel is told why, and nothing is tried again. */
export class SubscriptionRefused extends Error {}

const unable = 'Unable to subscribe to changes with given parameters.'

export const notPublished = (wanted: Wanted): SubscriptionRefused =>
  new SubscriptionRefused(`${unable} Please check Realtime is enabled for the given connect parameters: [${describeWanted(wanted)}]`)

/**
 * Refuses patterns that may take long. For the embedded engine, which has to be started again to end a statement, while everybody waits.
 *
 * @throws SubscriptionRefused
 */
export function refuseDearPatterns({ filters }: Wanted): void {
  for (const { column, operator, value } of filters) {
    const fault = operator === 'match' || operator === 'imatch' ? faultOfPattern(value) : undefined
    if (fault !== undefined) throw new SubscriptionRefused(`${unable} The built-in database must answer a pattern quickly, and that of column ${column} may take long: ${fault}`)
  }
}

// As the hosted server's driver names them.
const names: Readonly<Record<string, string>> = {
  P0001: 'raise_exception', '22P02': 'invalid_text_representation', '22003': 'numeric_value_out_of_range', '22007': 'invalid_datetime_format',
  '22008': 'datetime_field_overflow', '42704': 'undefined_object', '42883': 'undefined_function', '42846': 'cannot_coerce', '42501': 'insufficient_privilege',
}

/** Whether what was asked is the reason, so that asking again would not help. */
const isAskersFault = ({ sqlstate }: DatabaseError): boolean => /^(22|23|42|P0)/.test(sqlstate)

/** Makes of a failed insert what its channel is to be told; what is the database's trouble stays what it is. */
export function refusalOf(wanted: Wanted, error: unknown): unknown {
  if (!(error instanceof DatabaseError) || !isAskersFault(error)) return error
  const name = names[error.sqlstate]
  const exception = `ERROR ${error.sqlstate}${name === undefined ? '' : ` (${name})`} ${error.message}`
  return new SubscriptionRefused(
    `${unable} An exception happened so please check your connect parameters: [${describeWanted(wanted)}]. Exception: ${exception}`,
    { cause: error },
  )
}
