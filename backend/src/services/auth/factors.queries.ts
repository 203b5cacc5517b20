import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** Takes every second factor of a person away. */
export const deleteFactorsOf = (tx: Transaction, userId: string): Promise<number> =>
  tx.execute(sql`delete from auth.mfa_factors where user_id = ${userId}`)
