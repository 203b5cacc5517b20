/** How long a write of one's own is remembered: its echo comes over the live connection well before. */
const keptMs = 10_000

const writes = new Map<string, number>()

/** Names a row of a project's table: `["public","tickets","42"]`. */
export const rowId = ({ schema, name }: { schema: string; name: string }, key: readonly string[]): string => JSON.stringify([schema, name, ...key])

/** Remembers that this tab wrote the row, so that the echo of it is not shown as somebody else's change. */
export function noteOwnWrite(relation: { schema: string; name: string }, key: readonly string[]): void {
  const now = Date.now()
  for (const [id, at] of writes) if (now - at > keptMs) writes.delete(id)
  writes.set(rowId(relation, key), now)
}

export const isOwnWrite = (id: string): boolean => Date.now() - (writes.get(id) ?? 0) < keptMs
