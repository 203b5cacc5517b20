import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** What a key may be spent: `burst` at once, one more after every `everyMs`. */
export interface Allowance {
  burst: number
  everyMs: number
}

/**
 * Spends one of a key's allowance, in turn with everybody else who does.
 *
 * One moment a key is all that is kept: when it is whole again. Undefined: spent; else that moment.
 */
export async function spendOne(tx: Transaction, asked: { key: string; at: Date; allowance: Allowance }): Promise<string | undefined> {
  const { key, at, allowance } = asked
  const next = new Date(at.getTime() + allowance.everyMs)
  const latest = new Date(at.getTime() + (allowance.burst - 1) * allowance.everyMs)
  const spent = await tx.maybeOne(sql`
    insert into _portico.auth_limits as l (key, free_at)
    values (${key}, ${next})
    on conflict (key) do update
    set free_at = greatest(l.free_at, ${at}::timestamptz) + (${next}::timestamptz - ${at}::timestamptz)
    where l.free_at <= ${latest}
    returning l.key`)
  if (spent !== undefined) return undefined
  const known = await tx.maybeOne<{ freeAt: string }>(sql`select l.free_at as "freeAt" from _portico.auth_limits l where l.key = ${key}`)
  return known?.freeAt ?? next.toISOString()
}

/** Holds a key until a moment. False: it is held already. */
export const holdUntil = async (tx: Transaction, asked: { key: string; at: Date; until: Date }): Promise<boolean> =>
  (await tx.execute(sql`
    insert into _portico.auth_limits as l (key, free_at)
    values (${asked.key}, ${asked.until})
    on conflict (key) do update
    set free_at = excluded.free_at
    where l.free_at <= ${asked.at}`)) > 0

/** Gives back all that was spent. */
export const freeKey = (tx: Transaction, key: string): Promise<number> =>
  tx.execute(sql`delete from _portico.auth_limits where key = ${key}`)
