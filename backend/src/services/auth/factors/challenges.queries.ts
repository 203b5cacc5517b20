import type { Transaction } from '#database/database.ts'
import { json, sql } from '#database/sql.ts'

/** A question asked of a factor, to be answered once. */
export interface Challenge {
  id: string
  createdAt: string
  verifiedAt: string | null
  /** Whether who answers has the address of who asked. */
  isSameAddress: boolean
  /** Of a text message: the code's hash. Of an authenticator app, once answered: the step of the code. */
  code: string | null
  sessionData: unknown
}

export interface NewChallenge {
  id: string
  factorId: string
  ip: string
  at: Date
  code?: string
  sessionData?: unknown
}

/** Asks a factor. */
export async function insertChallenge(tx: Transaction, challenge: NewChallenge): Promise<void> {
  const { id, factorId, ip, at } = challenge
  await tx.execute(sql`
    insert into auth.mfa_challenges (id, factor_id, created_at, ip_address, otp_code, web_authn_session_data)
    values (
      ${id}, ${factorId}, ${at}, ${ip}::inet, ${challenge.code ?? null},
      ${challenge.sessionData === undefined ? null : json(challenge.sessionData)}::jsonb
    )`)
  await noteAsked(tx, factorId, at)
}

/** Notes when a factor was asked last; null takes a note back. A column of the hosted schema wants no two factors asked in one microsecond. */
export const noteAsked = (tx: Transaction, factorId: string, at: string | Date | null): Promise<number> =>
  tx.execute(sql`
    update auth.mfa_factors
    set last_challenged_at = ${at}::timestamptz + random() * interval '999 microseconds'
    where id = ${factorId}`)

export const findChallenge = (tx: Transaction, asked: { id: string; factorId: string; ip: string }): Promise<Challenge | undefined> =>
  tx.maybeOne<Challenge>(sql`
    select
      c.id,
      c.created_at as "createdAt",
      c.verified_at as "verifiedAt",
      c.ip_address = ${asked.ip}::inet as "isSameAddress",
      c.otp_code as code,
      c.web_authn_session_data as "sessionData"
    from auth.mfa_challenges c
    where c.id = ${asked.id} and c.factor_id = ${asked.factorId}`)

/** Uses a challenge up. 0: somebody else did before. */
export const useChallenge = (tx: Transaction, used: { id: string; code: string | null; at: Date }): Promise<number> =>
  tx.execute(sql`update auth.mfa_challenges set verified_at = ${used.at}, otp_code = ${used.code} where id = ${used.id} and verified_at is null`)

/** The newest step of the clock a code of an authenticator app was accepted of; null: none lately. */
export async function findUsedStep(tx: Transaction, factorId: string): Promise<number | null> {
  const { step } = await tx.one<{ step: string | null }>(sql`
    select max(c.otp_code::bigint) as step
    from auth.mfa_challenges c
    where c.factor_id = ${factorId} and c.verified_at is not null and c.otp_code ~ '^[0-9]{1,12}$'`)
  return step === null ? null : Number(step)
}
