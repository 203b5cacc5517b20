import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

export const raiseToAal2 = (tx: Transaction, raised: { sessionId: string; factorId: string; at: Date }): Promise<number> =>
  tx.execute(sql`
    update auth.sessions
    set aal = 'aal2', factor_id = ${raised.factorId}, updated_at = ${raised.at}
    where id = ${raised.sessionId}`)

/** Ends the person's sessions that nobody gave a second factor in. */
export const deleteLowSessions = (tx: Transaction, userId: string): Promise<number> =>
  tx.execute(sql`delete from auth.sessions where user_id = ${userId} and coalesce(aal, 'aal1') < 'aal2'`)

/** The kind of factor behind each word of `amr` that raises a session. */
const raising = sql`(values
  ('totp', 'totp'), ('mfa/phone', 'phone'), ('mfa/webauthn', 'webauthn'), ('mfa/recovery_code', 'recovery_code')
) as r (method, kind)`

/**
 * Takes from every session what a factor that is gone gave it: the proof it was raised by last, and proofs of a kind the person has
 * no verified factor of any more. A session without any other proof falls back to aal1.
 */
export async function lowerSessions(tx: Transaction, lowered: { userId: string; factorId: string; method: string; at: Date }): Promise<void> {
  await tx.execute(sql`
    delete from auth.mfa_amr_claims c
    using auth.sessions s, ${raising}
    where s.id = c.session_id
      and s.user_id = ${lowered.userId}
      and c.authentication_method = r.method
      and (
        (s.factor_id = ${lowered.factorId} and r.method = ${lowered.method})
        or not exists (
          select from auth.mfa_factors f
          where f.user_id = s.user_id and f.status = 'verified' and f.factor_type::text = r.kind
        )
      )`)
  await tx.execute(sql`
    update auth.sessions s
    set
      aal = case when p.is_proven then s.aal else 'aal1' end,
      factor_id = case when p.is_proven and s.factor_id is distinct from ${lowered.factorId} then s.factor_id end,
      updated_at = ${lowered.at}
    from (
      select o.id, exists (
        select from auth.mfa_amr_claims c, ${raising}
        where c.session_id = o.id and c.authentication_method = r.method
      ) as is_proven
      from auth.sessions o
      where o.user_id = ${lowered.userId} and o.aal is distinct from 'aal1'
    ) p
    where s.id = p.id and (not p.is_proven or s.factor_id = ${lowered.factorId})`)
}
