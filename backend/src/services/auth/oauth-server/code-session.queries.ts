import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** Ends the session a code was traded for, if that was some time ago. */
export const endSessionOfCode = (tx: Transaction, ended: { sessionId: string; clientId: string; openedBefore: Date }): Promise<number> =>
  tx.execute(sql`
    delete from auth.sessions
    where id = ${ended.sessionId} and oauth_client_id = ${ended.clientId} and created_at < ${ended.openedBefore}`)

/** When the person last proved who they are, in a session of their own; null: in none that still lives. */
export async function findLastProof(tx: Transaction, userId: string): Promise<string | null> {
  const row = await tx.maybeOne<{ at: string | null }>(sql`
    select max(c.created_at) as at
    from auth.mfa_amr_claims c
    join auth.sessions s on s.id = c.session_id
    where s.user_id = ${userId} and s.oauth_client_id is null`)
  return row?.at ?? null
}
