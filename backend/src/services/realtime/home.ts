import type { Clock } from '#contract/clock.ts'
import type { Logger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import { createChangeEncoder } from './change-frames.ts'
import type { ChangeFeed } from './change-feed.ts'
import { Groups, type Member, type Message, type Place } from './groups.ts'
import type { Presence } from './presence.ts'
import { Rate } from './rate.ts'
import { Relay } from './relay.ts'
import type { RealtimeSettings } from './settings.ts'

export interface HomeDeps {
  database: Database
  logger: Logger
  clock: Clock
  settings: RealtimeSettings
  changes: ChangeFeed
  /** Shared by the processes of one project. */
  relaySecret: string
}

interface Placed {
  place: Place
  presence: Presence
}

// The key is the client's own, too.
const sizeOf = ({ key, json }: Presence): number => key.length + json.length

/** What all sockets of this process share: groups, rates, the database's changes, the other processes. */
export class Home {
  readonly deps: HomeDeps
  readonly groups = new Groups()
  readonly joins: Rate
  readonly events: Rate
  /** Of broadcasts over HTTP, so that they take nothing from those who hold a socket. */
  readonly httpEvents: Rate
  readonly presenceEvents: Rate
  readonly encodeChange = createChangeEncoder()
  /** Of large frames to single sockets: what is written and not yet sent. */
  largeBytesQueued = 0
  /** Set when the box stops: nobody joins any more. */
  isEnding = false
  readonly #relay: Relay
  readonly #own = new Map<string, Placed>()
  /** By process, then by `ref`. */
  readonly #others = new Map<string, Map<string, Placed>>()
  #presenceBytes = 0
  #started: Promise<void> | undefined

  constructor(deps: HomeDeps) {
    this.deps = deps
    const { settings, clock } = deps
    this.joins = new Rate(settings.maxJoinsPerSecond, clock)
    this.events = new Rate(settings.maxEventsPerSecond, clock)
    this.httpEvents = new Rate(settings.maxEventsPerSecond, clock)
    this.presenceEvents = new Rate(settings.maxPresenceEventsPerSecond, clock)
    this.#relay = new Relay({ ...deps, secret: deps.relaySecret }, {
      onMessage: (place, message) => this.groups.find(place)?.send(message),
      onPresence: (sender, place, change) => this.#takeOthers(sender, place, change),
      onAllPresences: (sender, all) => this.#takeAllOthers(sender, all),
      listPresences: () => [...this.#own.values()].map(({ place, presence }) => [place, presence] as const),
    })
  }

  /** Listens to the database, when somebody first needs it. A start that failed is tried again by the next one. */
  start(): Promise<void> {
    return (this.#started ??= this.#listen().catch((error: unknown) => {
      this.#started = undefined
      throw error
    }))
  }

  async stop(): Promise<void> {
    this.isEnding = true
    if (!this.#started) return
    await this.#started.catch(() => undefined)
    await this.#relay.stop()
    await this.deps.changes.close()
  }

  /** Sends to everybody at a place, in all processes. */
  send(place: Place, message: Message, except?: Member): void {
    this.groups.find(place)?.send(message, except)
    this.#relay.send(place, message)
  }

  /** Whether there is room for a presence of this size beside all others. */
  hasRoomFor(bytes: number): boolean {
    return this.#presenceBytes + bytes <= this.deps.settings.maxPresenceBytes
  }

  changePresence(place: Place, change: { joins?: Presence; leaves?: Presence | undefined }): void {
    const { joins, leaves } = change
    if (joins) {
      this.#own.set(joins.ref, { place, presence: joins })
      this.#presenceBytes += sizeOf(joins)
    }
    if (leaves && this.#own.delete(leaves.ref)) this.#presenceBytes -= sizeOf(leaves)
    this.groups.get(place).changePresence(change)
    this.#relay.sendPresence(place, change)
  }

  async #listen(): Promise<void> {
    this.deps.changes.hearMessages((stored) => {
      const { id, topic, event, isPrivate, payload } = stored
      this.groups.find({ name: topic, isPrivate })?.send({ event, payload, meta: { id } })
    })
    await Promise.all([this.deps.changes.start(), this.#relay.start()])
  }

  #takeOthers(sender: string, place: Place, { joins, leaves }: { joins?: Presence; leaves?: Presence }): void {
    const known = this.#others.get(sender) ?? new Map<string, Placed>()
    this.#others.set(sender, known)
    if (joins) known.set(joins.ref, { place, presence: joins })
    if (leaves) known.delete(leaves.ref)
    this.groups.get(place).changePresence({ ...(joins ? { joins } : {}), leaves })
  }

  #takeAllOthers(sender: string, all: readonly (readonly [Place, Presence])[]): void {
    const before = this.#others.get(sender) ?? new Map<string, Placed>()
    const now = new Map(all.map(([place, presence]) => [presence.ref, { place, presence }]))
    for (const [ref, { place, presence }] of before) if (!now.has(ref)) this.groups.get(place).changePresence({ leaves: presence })
    for (const [ref, { place, presence }] of now) if (!before.has(ref)) this.groups.get(place).changePresence({ joins: presence })
    if (now.size > 0) this.#others.set(sender, now)
    else this.#others.delete(sender)
  }
}
