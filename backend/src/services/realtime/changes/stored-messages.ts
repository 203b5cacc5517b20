import type { Database } from '#database/database.ts'
import type { ReplayRequest, StoredMessage } from '#services/realtime/change-feed.ts'
import { deleteExpired, findNewest, type MessageRow } from './stored-messages.queries.ts'

const keptHours = 72

export const toMessage = (row: MessageRow): StoredMessage => ({
  id: row.id,
  topic: row.topic,
  event: row.event,
  isPrivate: row.private,
  payload: row.bytes === null ? { json: row.payload ?? 'null' } : { bytes: Buffer.from(row.bytes, 'base64') },
})

/** Reads what a channel missed, oldest first. */
export async function replayMessages(database: Database, request: ReplayRequest): Promise<StoredMessage[]> {
  const limit = Math.max(1, Math.min(25, request.limit))
  const rows = await database.asAdmin('postgres', (tx) => findNewest(tx, { ...request, limit }), { timeoutMs: 5_000 })
  return rows.map(toMessage).toReversed()
}

/** Removes messages that are too old, a few thousand at a time. */
export async function removeExpiredMessages(database: Database): Promise<void> {
  for (let round = 0; round < 1_000; round += 1) {
    if ((await database.asAdmin('postgres', (tx) => deleteExpired(tx, keptHours))) === 0) return
  }
}
