import { channelsOf, type Change, type ChannelEvent, type OpenChannel } from '#api/channels.ts'
import type { ProjectClient } from '#api/client.ts'
import type { LiveTable } from './live-table.ts'
import { hold, type Held } from './shared.ts'

/** `off`: the project does not send this table's changes. `lost`: they do not come just now, and will again. */
export type FeedState = 'joining' | 'live' | 'lost' | 'off'

export type FeedEvent =
  | { kind: 'change'; change: Change }
  /** From now on changes are told; what happened before is to be read. */
  | { kind: 'ready' }

/** The changes of one table as the server tells them, for all who show its rows. */
export interface TableFeed {
  state: () => FeedState
  subscribe: (listener: () => void) => () => void
  listen: (listener: (event: FeedEvent) => void) => () => void
  close: () => void
}

// A name of its own for each: one person's may still be closing when the next one's opens.
let feeds = 0

/** Holds the table's channel; release it when its rows are no longer shown. */
export const holdTableFeed = (connection: ProjectClient, userId: string, table: LiveTable): Held<TableFeed> =>
  hold(['changes', connection.project.id, userId, table.schema, table.name].join(' '), () => openTableFeed(connection, table))

function openTableFeed(connection: ProjectClient, { schema, name, columns }: LiveTable): TableFeed {
  const watchers = new Set<() => void>()
  const listeners = new Set<(event: FeedEvent) => void>()
  let state: FeedState = 'joining'
  const become = (next: FeedState) => {
    if (state === next || state === 'off') return
    state = next
    for (const watcher of watchers) watcher()
  }
  const tell = (event: FeedEvent) => {
    for (const listener of listeners) listener(event)
  }
  const receive = (event: ChannelEvent) => {
    if (event.kind === 'changes') return tell({ kind: 'change', change: event.change })
    // Said after every join, and again once a renewed session is known: each time, something may have been missed.
    if (event.kind === 'system' && event.extension === 'postgres_changes' && event.isOk) {
      become('live')
      return tell({ kind: 'ready' })
    }
    if (event.kind !== 'fault') return
    if (event.fault.code === 'changes-refused') {
      become('off')
      channel?.close()
    } else become('lost')
  }
  const channel: OpenChannel | undefined = open(connection, { topic: `portico:changes:${schema}.${name}:${(feeds += 1)}`, schema, table: name, select: columns, onEvent: receive })
  if (!channel) state = 'off'
  return {
    state: () => state,
    subscribe(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close: () => channel?.close(),
  }
}

interface Opening {
  topic: string
  schema: string
  table: string
  select: string[] | undefined
  onEvent: (event: ChannelEvent) => void
}

// The rows themselves are read from the data API, which knows the view's filter, its embedded rows and the policies.
function open(connection: ProjectClient, { topic, schema, table, select, onEvent }: Opening): OpenChannel | undefined {
  try {
    return channelsOf(connection).open({ topic, purpose: 'changes', changes: [{ event: '*', schema, table, ...(select ? { select } : {}) }], onEvent })
  } catch {
    return undefined
  }
}
