import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** Takes every second factor and every passkey of a person away. */
export async function deleteFactorsOf(tx: Transaction, userId: string): Promise<void> {
  await tx.execute(sql`delete from auth.mfa_factors where user_id = ${userId}`)
  await tx.execute(sql`delete from auth.webauthn_credentials where user_id = ${userId}`)
}
