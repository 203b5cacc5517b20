import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

export type Extension = 'broadcast' | 'presence'

/** One message of each extension, as its owner: what the policies are asked about. Never committed. */
export const insertProbes = (tx: Transaction, topic: string, probes: readonly { id: string; extension: Extension }[]): Promise<number> =>
  tx.execute(sql`
    insert into realtime.messages (id, topic, extension)
    select given.id, ${topic}, given.extension
    from unnest(${probes.map(({ id }) => id)}::uuid[], ${probes.map(({ extension }) => extension)}::text[]) as given (id, extension)`)

export interface PolicyContext {
  role: string
  topic: string
  claims: string
  sub: string
  headers: string
}

/** What policies may look at, for the rest of the transaction; and the role they are asked for. */
export const takeContext = (tx: Transaction, { role, topic, claims, sub, headers }: PolicyContext): Promise<number> =>
  tx.execute(sql`
    select set_config('realtime.topic', ${topic}, true),
      set_config('request.jwt.claims', ${claims}, true),
      set_config('request.jwt.claim.sub', ${sub}, true),
      set_config('request.jwt.claim.role', ${role}, true),
      set_config('request.headers', ${headers}, true),
      set_config('role', ${role}, true)`)

/** The probes a role may see. */
export const selectProbes = (tx: Transaction, ids: readonly string[]): Promise<{ id: string }[]> =>
  tx.many(sql`select id from realtime.messages where id = any(${ids}::uuid[])`)

/** A message as the caller; fails with 42501 where the policies withhold it. Never committed. */
export const insertOwnProbe = (tx: Transaction, topic: string, extension: Extension): Promise<number> =>
  tx.execute(sql`insert into realtime.messages (topic, extension) values (${topic}, ${extension})`)
