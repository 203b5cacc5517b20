import type { Transaction } from '#database/database.ts'
import { sql, trusted } from '#database/sql.ts'
import type { ReplayRequest } from '#services/realtime/change-feed.ts'

export interface MessageRow {
  id: string
  topic: string
  event: string
  private: boolean
  /** JSON. */
  payload: string | null
  /** Base 64. */
  bytes: string | null
}

/** The newest private broadcasts of a topic, newest first. Clocks may differ by a minute. */
export const findNewest = (tx: Transaction, { topic, sinceMs, limit }: ReplayRequest): Promise<MessageRow[]> =>
  tx.many(sql`
    select m.id::text, m.topic, m.event, m.private, m.payload::text as payload, encode(m.binary_payload, 'base64') as bytes
    from realtime.messages m
    where m.topic = ${topic} and m.private is true and m.extension = 'broadcast' and m.event is not null
      and m.inserted_at >= to_timestamp(${sinceMs}::float8 / 1000)::timestamp
      and m.inserted_at < (now() + interval '1 minute')::timestamp
    order by m.inserted_at desc
    limit ${trusted(String(Math.trunc(limit)))}`)

/** Removes some messages kept for longer than hosted; gives how many. */
export const deleteExpired = (tx: Transaction, keptHours: number): Promise<number> =>
  tx.execute(sql`
    delete from realtime.messages m
    using (
      select o.id, o.inserted_at from realtime.messages o
      where o.inserted_at < (now() - make_interval(hours => ${keptHours}::int))::timestamp
      limit 5000
    ) old
    where m.id = old.id and m.inserted_at = old.inserted_at`)
