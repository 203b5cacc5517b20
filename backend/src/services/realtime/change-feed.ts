// What channels ask of the database's changes, and what they are told. `changes/` implements it; sockets know nothing more of it.

/** One element of a join's `config.postgres_changes`, as the client sent it: `{ event, schema, table?, filter?, select? }`. Unchecked. */
export type AskedChange = Readonly<Record<string, unknown>>

/** Elements of one channel. Nobody needs so many, and each has its cost with each change. */
export const mostAsked = 100

/** On whose behalf rows are looked at: a verified token's role and payload. */
export interface ChangeReader {
  role: string
  claims: Readonly<Record<string, unknown>>
}

/** One change of one row, ready to be sent. The same object is handed to everyone who sees the same, so that it is encoded once. */
export interface ChangeMessage {
  type: 'INSERT' | 'UPDATE' | 'DELETE'
  /**
   * The message's `data` as JSON text: `{"schema","table","commit_timestamp","type","columns","record"?,"old_record"?,"errors"}`.
   * Text, because int8 and numeric travel as JSON numbers of any length.
   */
  json: string
}

/** Becomes the channel's `system` message with `extension: "postgres_changes"`. */
export interface ChangeStatus {
  status: 'ok' | 'error'
  /** `Subscribed to PostgreSQL`, or why not, in the hosted words. */
  message: string
}

/** What a channel that wants changes hands over. */
export interface ChangeSubscriber {
  /** Whose it is: what the filters of all its subscriptions take is counted together. The subscriber itself where it stands alone. */
  owner?: object
  reader: ChangeReader
  /** What was asked, with the ids the join reply gave; equal elements have equal ids. Never empty. */
  asked: readonly { id: number; change: AskedChange }[]
  /** Called in commit order, once a change, with the ids of all that match it. Must not throw; does not wait. */
  onChange(change: ChangeMessage, ids: readonly number[]): void
  /** Called after each (re-)subscription, and when one fails. Nothing is heard of changes committed before `ok`. */
  onStatus(status: ChangeStatus): void
}

export interface Subscription {
  /** Goes on with the claims of a new token: subscribes anew, which gives a new status. Changes in between are not lost. */
  updateReader(reader: ChangeReader): void
  /** Nothing is called after it returns. */
  unsubscribe(): void
}

/** A row of `realtime.messages` whose extension is `broadcast`. */
export interface StoredMessage {
  /** A uuid; becomes `meta.id`. */
  id: string
  /** Without the `realtime:` prefix. */
  topic: string
  event: string
  isPrivate: boolean
  /** JSON as text, or bytes. A row with neither has the JSON `null`. */
  payload: { json: string } | { bytes: Uint8Array }
}

/** What `config.broadcast.replay` asks for. */
export interface ReplayRequest {
  /** Without the `realtime:` prefix. */
  topic: string
  /** Milliseconds since the Unix epoch. */
  sinceMs: number
  /** 1 to 25. */
  limit: number
}

/** Changes of rows and stored messages, from the database itself: whoever wrote them. */
export interface ChangeFeed {
  /** Settles when everything committed from now on will be heard. Called once, before anything else. */
  start(): Promise<void>
  close(): Promise<void>
  /** Gives at once; what becomes of it is told by `onStatus`. */
  subscribe(subscriber: ChangeSubscriber): Subscription
  /** Hears of every stored broadcast, private or not, once, in commit order. One listener, set before `start`. */
  hearMessages(hear: (message: StoredMessage) => void): void
  /** Whether stored broadcasts committed now will be heard: false while the connection that listens is lost. */
  isListening(): boolean
  /** The newest `limit` private broadcasts of a topic since a moment, oldest first. @throws DatabaseError */
  replay(request: ReplayRequest): Promise<readonly StoredMessage[]>
}
