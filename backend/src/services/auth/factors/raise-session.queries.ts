import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** Takes every refresh token of a session away. */
export const deleteRefreshTokens = (tx: Transaction, sessionId: string): Promise<number> =>
  tx.execute(sql`delete from auth.refresh_tokens where session_id = ${sessionId}`)

export const raiseToAal2 = (tx: Transaction, raised: { sessionId: string; factorId: string; at: Date }): Promise<number> =>
  tx.execute(sql`
    update auth.sessions
    set aal = 'aal2', factor_id = ${raised.factorId}, updated_at = ${raised.at}
    where id = ${raised.sessionId}`)

/** Ends the person's sessions that nobody gave a second factor in. */
export const deleteLowSessions = (tx: Transaction, userId: string): Promise<number> =>
  tx.execute(sql`delete from auth.sessions where user_id = ${userId} and coalesce(aal, 'aal1') < 'aal2'`)

/** Takes from every session what a factor gave it. */
export async function lowerSessions(tx: Transaction, lowered: { userId: string; factorId: string; method: string; at: Date }): Promise<void> {
  await tx.execute(sql`
    delete from auth.mfa_amr_claims c
    using auth.sessions s
    where s.id = c.session_id
      and s.user_id = ${lowered.userId}
      and s.factor_id = ${lowered.factorId}
      and c.authentication_method = ${lowered.method}`)
  await tx.execute(sql`
    update auth.sessions
    set aal = 'aal1', factor_id = null, updated_at = ${lowered.at}
    where user_id = ${lowered.userId} and factor_id = ${lowered.factorId}`)
}
