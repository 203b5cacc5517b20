import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** The recovery codes of one person, without the codes. */
export interface RecoveryCodeSet {
  id: string
  factorId: string
  friendlyName: string | null
  total: number
  remaining: number
  failedCount: number
  lockedUntil: string | null
}

export const findCodeSet = (tx: Transaction, userId: string): Promise<RecoveryCodeSet | undefined> =>
  tx.maybeOne<RecoveryCodeSet>(sql`
    select
      s.id,
      s.factor_id as "factorId",
      f.friendly_name as "friendlyName",
      (select count(*)::int from auth.mfa_recovery_codes c where c.mfa_recovery_code_set_id = s.id) as total,
      (select count(*)::int from auth.mfa_recovery_codes c where c.mfa_recovery_code_set_id = s.id and c.used_at is null) as remaining,
      s.failed_verification_count as "failedCount",
      s.verification_locked_until as "lockedUntil"
    from auth.mfa_recovery_code_sets s
    join auth.mfa_factors f on f.id = s.factor_id
    where f.user_id = ${userId}
    limit 1`)

/** As `findCodeSet`, kept from other transactions until this one ends: tries are counted one after the other. */
export async function lockCodeSet(tx: Transaction, userId: string): Promise<RecoveryCodeSet | undefined> {
  const locked = await tx.maybeOne(sql`
    select s.id
    from auth.mfa_recovery_code_sets s
    join auth.mfa_factors f on f.id = s.factor_id
    where f.user_id = ${userId}
    for update of s`)
  return locked === undefined ? undefined : findCodeSet(tx, userId)
}

export const insertCodeSet = (tx: Transaction, set: { id: string; factorId: string; at: Date }): Promise<number> =>
  tx.execute(sql`
    insert into auth.mfa_recovery_code_sets (id, factor_id, created_at, updated_at)
    values (${set.id}, ${set.factorId}, ${set.at}, ${set.at})`)

/** Puts codes in the place of those a set had, and forgets its failed tries. */
export async function replaceCodes(tx: Transaction, set: { id: string; codes: readonly { id: string; hash: string }[]; at: Date }): Promise<void> {
  await tx.execute(sql`delete from auth.mfa_recovery_codes where mfa_recovery_code_set_id = ${set.id}`)
  for (const { id, hash } of set.codes) {
    await tx.execute(sql`
      insert into auth.mfa_recovery_codes (id, mfa_recovery_code_set_id, code_hash, created_at)
      values (${id}, ${set.id}, ${hash}, ${set.at})`)
  }
  await noteFailures(tx, { id: set.id, count: 0, lockedUntil: null, at: set.at })
}

export const noteFailures = (tx: Transaction, set: { id: string; count: number; lockedUntil: Date | null; at: Date }): Promise<number> =>
  tx.execute(sql`
    update auth.mfa_recovery_code_sets
    set failed_verification_count = ${set.count}, verification_locked_until = ${set.lockedUntil}, updated_at = ${set.at}
    where id = ${set.id}`)

/** Uses a code up. False: it is none of the set, or used already. */
export const useCode = async (tx: Transaction, used: { setId: string; hash: string; at: Date }): Promise<boolean> =>
  (await tx.execute(sql`
    update auth.mfa_recovery_codes
    set used_at = ${used.at}
    where mfa_recovery_code_set_id = ${used.setId} and code_hash = ${used.hash} and used_at is null`)) > 0

export const isUnusedCode = async (tx: Transaction, asked: { setId: string; hash: string }): Promise<boolean> =>
  (await tx.maybeOne(sql`
    select c.id
    from auth.mfa_recovery_codes c
    where c.mfa_recovery_code_set_id = ${asked.setId} and c.code_hash = ${asked.hash} and c.used_at is null`)) !== undefined
