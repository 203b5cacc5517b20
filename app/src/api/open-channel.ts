import type { RealtimeChannel } from '@supabase/supabase-js'
import type { Client } from './client.ts'

export type ChannelState = 'closed' | 'errored' | 'joined' | 'joining' | 'leaving'

/** A row's change as the server tells it, values as the official client reads them. */
export interface Change {
  type: 'INSERT' | 'UPDATE' | 'DELETE'
  schema: string
  table: string
  /** When it was committed, ISO. */
  committedAt: string
  /** The row after it; empty for DELETE. */
  record: Readonly<Record<string, unknown>>
  /** What is told of the row before: its key, or all of it. */
  before: Readonly<Record<string, unknown>>
  /** Why the server left the row out; empty when it did not. */
  errors: readonly string[]
}

/** Which changes a channel asks for. */
export interface ChangesWish {
  event: '*' | Change['type']
  schema: string
  /** Absent: every table of the schema. */
  table?: string
  /** `status=eq.open` */
  filter?: string
  /** Columns to be told of; all readable ones when absent. */
  select?: string[]
}

export interface ChannelFault {
  /** The server's code (`Unauthorized`), or one of ours: `socket-closed`, `join-timed-out`, `changes-refused`, `filter-refused`, `closed-by-server`, `unknown`. */
  code: string
  message: string
  at: number
}

/** Who is present, by key; one entry for each of a person's tabs. */
export type PresentPeople = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>

export type ChannelEvent =
  /** `again`: it was joined before, so what was sent in between is missing. */
  | { kind: 'joined'; again: boolean }
  | { kind: 'broadcast'; event: string; payload: unknown; meta: unknown }
  | { kind: 'presence'; action: 'sync' | 'join' | 'leave'; key: string; people: PresentPeople }
  | { kind: 'changes'; change: Change }
  | { kind: 'system'; extension: string; isOk: boolean; message: string }
  | { kind: 'fault'; fault: ChannelFault }

export interface ChannelWish {
  /** Without the protocol's `realtime:`. */
  topic: string
  isPrivate?: boolean
  /** What the app holds it for; `screen` is a person who watches, so it stays while the tab is hidden. */
  purpose: 'changes' | 'presence' | 'screen'
  /** Own broadcasts come back too. */
  self?: boolean
  /** Joins to see who is present, under this key; a name of the server's own choice when empty. */
  presenceKey?: string
  changes?: readonly ChangesWish[]
  onEvent: (event: ChannelEvent) => void
}

/** What is known of a channel, without what was sent over it. */
export interface ChannelFacts {
  /** Counts up within this page. */
  id: number
  topic: string
  isPrivate: boolean
  purpose: ChannelWish['purpose']
  state: ChannelState
  openedAt: number
  /** The latest join; undefined until the first. */
  joinedAt: number | undefined
  joins: number
  lastError: ChannelFault | undefined
  received: Readonly<Record<'broadcast' | 'presence' | 'changes' | 'system', number>>
  sent: number
  lastEventAt: number | undefined
}

/** What became of a message; `ok` once the server has it. */
export type SendOutcome = 'ok' | 'not joined' | 'timed out' | 'error' | (string & {})

/** What a channel needs of those who hold it. */
export interface Surroundings {
  changed: () => void
  /** The socket holds a name until the server has let go of it. */
  untilFree: () => Promise<void>
  left: (left: Promise<void>) => void
}

/** Asking again changes nothing about these. */
const finalCodes = new Set(['Unauthorized', 'PrivateOnly', 'TopicNameRequired', 'RealtimeDisabledForTenant', 'TenantNotFound', 'UnableToReplayMessages'])
/** Whether a fault stays until something else is asked for. */
export const isFinalFault = (code: string | undefined): boolean => code !== undefined && finalCodes.has(code)
const reopenAfterMs = [1000, 2000, 5000, 10_000, 30_000]
/** What the server says right before it closes a channel is why it does. */
const reasonHoldsMs = 2000

type Facts = { -readonly [Key in keyof ChannelFacts]: ChannelFacts[Key] }

/** A channel that stays joined: a lost socket and a closing server are answered by joining again. */
export class OpenChannel {
  readonly #client: Client
  readonly #wish: ChannelWish
  readonly #around: Surroundings
  readonly #facts: Facts
  #shown: ChannelFacts
  #channel: RealtimeChannel | undefined
  #tracked: Record<string, unknown> | undefined
  #wanted: 'open' | 'asleep' | 'closed' = 'open'
  #attempts = 0
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(client: Client, { id, ...wish }: ChannelWish & { id: number }, around: Surroundings) {
    this.#client = client
    this.#wish = wish
    this.#around = around
    this.#facts = {
      id, topic: wish.topic, isPrivate: wish.isPrivate === true, purpose: wish.purpose, state: 'joining', openedAt: Date.now(),
      joinedAt: undefined, joins: 0, lastError: undefined, received: { broadcast: 0, presence: 0, changes: 0, system: 0 }, sent: 0, lastEventAt: undefined,
    }
    this.#shown = { ...this.#facts }
    void this.#join()
  }

  /** The same object until something in it changes. */
  readonly facts = (): ChannelFacts => this.#shown

  /** Whether it was left for good, by us or because the server will not have us. */
  isClosed(): boolean {
    return this.#wanted === 'closed'
  }

  send(event: string, payload: unknown): Promise<SendOutcome> {
    return this.#push((channel) => channel.send({ type: 'broadcast', event, payload }))
  }

  /** Shows oneself with these facts, again after every join, until `untrack`. */
  track(payload: Record<string, unknown>): Promise<SendOutcome> {
    this.#tracked = payload
    return this.#push((channel) => channel.track(payload))
  }

  untrack(): Promise<SendOutcome> {
    this.#tracked = undefined
    return this.#push((channel) => channel.untrack())
  }

  present(): PresentPeople {
    return this.#channel?.presenceState() ?? {}
  }

  /** Leaves it for good. */
  close(): void {
    this.#leave('closed')
  }

  /** Leaves until `wake`; a channel somebody watches stays. */
  sleep(): void {
    if (this.#wish.purpose !== 'screen' && this.#wanted === 'open') this.#leave('asleep')
  }

  wake(): void {
    if (this.#wanted !== 'asleep') return
    this.#wanted = 'open'
    this.#become('joining')
    void this.#join()
  }

  /** Looks what the client makes of it by now. */
  look(): void {
    if (this.#channel && this.#channel.state !== this.#facts.state) this.#become(this.#channel.state)
  }

  async #join() {
    await this.#around.untilFree()
    // Without it the first join would go out under the public key alone.
    if (this.#wanted === 'open') await this.#client.realtime.setAuth().catch(() => undefined)
    if (this.#wanted !== 'open' || this.#channel) return
    const { topic, self, presenceKey } = this.#wish
    const config = { private: this.#facts.isPrivate, broadcast: { self: self === true, ack: true }, presence: { key: presenceKey ?? '', enabled: presenceKey !== undefined } }
    const channel = this.#client.channel(topic, { config })
    this.#channel = channel
    listen(channel, this.#wish, (event) => this.#receive(event))
    channel.subscribe((status, error) => {
      if (this.#channel === channel) this.#settle(status, error)
    })
    this.look()
  }

  #settle(status: string, error: Error | undefined) {
    if (status === 'SUBSCRIBED') return this.#joined()
    if (status === 'CLOSED') {
      this.#channel = undefined
      const { lastError } = this.#facts
      if (!lastError || Date.now() - lastError.at > reasonHoldsMs) this.#fail('closed-by-server', 'The server closed this channel.')
      this.#reopen()
      return this.#become('errored')
    }
    const { code, message } = status === 'TIMED_OUT' ? { code: 'join-timed-out', message: 'The server did not answer the join.' } : readFault(error)
    this.#fail(code, message)
    if (isFinalFault(code)) {
      this.#wanted = 'closed'
      void this.#drop()
    }
    this.#become('errored')
  }

  #joined() {
    this.#attempts = 0
    this.#facts.joins += 1
    this.#facts.joinedAt = Date.now()
    if (this.#tracked) void this.#channel?.track(this.#tracked)
    this.#become('joined')
    this.#wish.onEvent({ kind: 'joined', again: this.#facts.joins > 1 })
  }

  #receive(event: ChannelEvent) {
    this.#facts.lastEventAt = Date.now()
    if (event.kind === 'broadcast' || event.kind === 'presence' || event.kind === 'changes' || event.kind === 'system') {
      this.#facts.received = { ...this.#facts.received, [event.kind]: this.#facts.received[event.kind] + 1 }
    }
    this.#wish.onEvent(event)
    if (event.kind === 'system' && !event.isOk) this.#fail(systemCode(event.message), event.message)
    this.#tell()
  }

  #fail(code: string, message: string) {
    this.#facts.lastError = { code, message, at: Date.now() }
    this.#wish.onEvent({ kind: 'fault', fault: this.#facts.lastError })
  }

  #reopen() {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.#join(), reopenAfterMs[Math.min(this.#attempts, reopenAfterMs.length - 1)])
    this.#attempts += 1
  }

  #leave(next: 'asleep' | 'closed') {
    if (this.#wanted === 'closed') return
    this.#wanted = next
    this.#become('leaving')
    void this.#drop().then(() => this.#wanted !== 'open' && this.#become('closed'))
  }

  async #drop(): Promise<void> {
    clearTimeout(this.#timer)
    const channel = this.#channel
    this.#channel = undefined
    if (!channel) return
    const left = this.#client.removeChannel(channel).then(() => undefined, () => undefined)
    this.#around.left(left)
    await left
  }

  async #push(act: (channel: RealtimeChannel) => Promise<SendOutcome>): Promise<SendOutcome> {
    if (!this.#channel || this.#facts.state !== 'joined') return 'not joined'
    const outcome = await act(this.#channel)
    if (outcome === 'ok') this.#facts.sent += 1
    this.#tell()
    return outcome
  }

  #become(state: ChannelState) {
    this.#facts.state = state
    this.#tell()
  }

  #tell() {
    this.#shown = { ...this.#facts }
    this.#around.changed()
  }
}

/** Binds what the wish asks to be told of. */
function listen(channel: RealtimeChannel, wish: ChannelWish, emit: (event: ChannelEvent) => void): void {
  channel.on('broadcast', { event: '*' }, ({ event, payload, meta }: { event: string; payload?: unknown; meta?: unknown }) => emit({ kind: 'broadcast', event, payload, meta }))
  channel.on('system', {}, ({ extension, status, message }: Record<string, unknown>) =>
    emit({ kind: 'system', extension: String(extension), isOk: status === 'ok', message: String(message) }))
  if (wish.presenceKey !== undefined) {
    const present = () => channel.presenceState() as PresentPeople
    channel.on('presence', { event: 'sync' }, () => emit({ kind: 'presence', action: 'sync', key: '', people: present() }))
    channel.on('presence', { event: 'join' }, ({ key }) => emit({ kind: 'presence', action: 'join', key, people: present() }))
    channel.on('presence', { event: 'leave' }, ({ key }) => emit({ kind: 'presence', action: 'leave', key, people: present() }))
  }
  for (const { event, ...filter } of wish.changes ?? []) {
    channel.on('postgres_changes', { event: event as '*', ...filter }, (told) => {
      const { eventType, schema, table, commit_timestamp: committedAt, new: record, old: before, errors } = told
      emit({ kind: 'changes', change: { type: eventType, schema, table, committedAt, record, before, errors: errors ?? [] } })
    })
  }
}

/** The official client joins whatever the server said into one text: `Unauthorized: You do not have permissions …`. */
function readFault(error: Error | undefined): { code: string; message: string } {
  const message = error?.message ?? 'unknown'
  const named = /^([A-Z][A-Za-z]+): (.+)$/s.exec(message)
  if (named) return { code: named[1] ?? 'unknown', message: named[2] ?? message }
  return { code: /^(socket closed|channel error)/.test(message) ? 'socket-closed' : 'unknown', message }
}

function systemCode(message: string): string {
  if (/^Unable to subscribe to changes|exception happened/i.test(message)) return 'changes-refused'
  if (/^Error parsing/i.test(message)) return 'filter-refused'
  if (/^Too many|rate limit/i.test(message)) return 'ClientJoinRateLimitReached'
  if (/^Token has expired/i.test(message)) return 'InvalidJWTToken'
  return /permissions? to read/i.test(message) ? 'Unauthorized' : 'unknown'
}
