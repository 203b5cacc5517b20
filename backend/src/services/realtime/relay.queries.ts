import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** Tells every process that shares the database, in the order given, once the transaction commits. */
export const notifyAll = (tx: Transaction, channel: string, payloads: readonly string[]): Promise<number> =>
  tx.execute(sql`select pg_notify(${channel}, given.payload) from unnest(${payloads}::text[]) with ordinality as given (payload, at) order by given.at`)
