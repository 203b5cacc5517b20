import { channelsOf, type ChannelEvent, type ChannelFacts, type OpenChannel, type PresentPeople, type SendOutcome } from '#api/channels.ts'
import type { ProjectClient } from '#api/client.ts'
import type { RoomSettings } from './address.ts'
import { entryOf, oneLine, type LogEntry } from './log.ts'

/** A channel one has joined, with what happened on it since. */
export interface Room {
  settings: RoomSettings
  facts: ChannelFacts
  log: readonly LogEntry[]
  /** Entries that had to go, oldest first. */
  dropped: number
  people: PresentPeople
  /** What oneself shows, while one does. */
  shown: Record<string, unknown> | undefined
}

interface OpenRoom {
  settings: RoomSettings
  channel: OpenChannel
  log: LogEntry[]
  lastId: number
  dropped: number
  people: PresentPeople
  shown: Record<string, unknown> | undefined
}

const mostEntries = 2000
// A busy channel is drawn a few times a second, not at every message.
const drawEveryMs = 100

const books = new WeakMap<ProjectClient, { sessionId: string; rooms: Rooms }>()

/** The channels joined on the channel screen; they stay while one looks at something else, and are nobody's once the session ended. */
export function roomsOf(connection: ProjectClient, sessionId: string): Rooms {
  const known = books.get(connection)
  if (known?.sessionId === sessionId) return known.rooms
  const rooms = new Rooms(connection)
  books.set(connection, { sessionId, rooms })
  return rooms
}

export class Rooms {
  readonly #connection: ProjectClient
  readonly #open = new Map<string, OpenRoom>()
  readonly #listeners = new Set<() => void>()
  /** Under which name oneself is present; told apart from other windows of the same person. */
  readonly presenceKey = `${Math.random().toString(36).slice(2, 10)}`
  #shown: readonly Room[] = []
  #drawing: ReturnType<typeof setTimeout> | undefined

  constructor(connection: ProjectClient) {
    this.#connection = connection
    channelsOf(connection).subscribe(() => this.#draw())
  }

  /** In the order they were joined; the same array until something changes. */
  readonly list = (): readonly Room[] => this.#shown

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Joins a channel; one that is joined already stays as it is. */
  join(settings: RoomSettings): void {
    const before = this.#open.get(settings.topic)
    if (before && !before.channel.isClosed()) return
    const room = before ?? { settings, log: [], lastId: 0, dropped: 0, people: {}, shown: undefined }
    const { topic, isPrivate, changes } = settings
    const channel = channelsOf(this.#connection).open({
      topic, isPrivate, purpose: 'screen', presenceKey: this.presenceKey, ...(changes ? { changes: [changes] } : {}),
      onEvent: (event) => this.#take(topic, event),
    })
    this.#open.set(topic, Object.assign(room, { settings, channel, people: {}, shown: undefined }))
    this.#drawNow()
  }

  /** Leaves a channel; what happened stays to be read. */
  leave(topic: string): void {
    this.#open.get(topic)?.channel.close()
    this.#drawNow()
  }

  /** Takes a channel off the list. */
  remove(topic: string): void {
    this.leave(topic)
    this.#open.delete(topic)
    this.#drawNow()
  }

  clear(topic: string): void {
    const room = this.#open.get(topic)
    if (room) Object.assign(room, { log: [], dropped: 0 })
    this.#drawNow()
  }

  async send(topic: string, event: string, payload: unknown): Promise<SendOutcome> {
    const room = this.#open.get(topic)
    if (!room) return 'not joined'
    const outcome = await room.channel.send(event, payload)
    if (outcome === 'ok') this.#add(room, { kind: 'sent', name: event, content: payload })
    return outcome
  }

  /** Shows oneself to the others, or no more. */
  async show(topic: string, state: Record<string, unknown> | undefined): Promise<SendOutcome> {
    const room = this.#open.get(topic)
    if (!room) return 'not joined'
    const outcome = await (state ? room.channel.track(state) : room.channel.untrack())
    if (outcome === 'ok') room.shown = state
    this.#drawNow()
    return outcome
  }

  #take(topic: string, event: ChannelEvent) {
    const room = this.#open.get(topic)
    if (!room) return
    if (event.kind === 'presence') room.people = event.people
    const entry = entryOf(event)
    if (entry) this.#add(room, entry)
  }

  #add(room: OpenRoom, entry: Pick<LogEntry, 'kind' | 'name' | 'content'>) {
    room.lastId += 1
    room.log.push({ ...entry, id: room.lastId, at: Date.now(), text: oneLine(entry.content) })
    if (room.log.length > mostEntries) room.dropped += room.log.splice(0, room.log.length - mostEntries).length
    this.#draw()
  }

  #draw() {
    this.#drawing ??= setTimeout(() => this.#drawNow(), drawEveryMs)
  }

  #drawNow() {
    clearTimeout(this.#drawing)
    this.#drawing = undefined
    const before = new Map(this.#shown.map((room) => [room.settings.topic, room]))
    this.#shown = [...this.#open.values()].map(({ settings, channel, log, dropped, people, shown }) => {
      const was = before.get(settings.topic)
      const isSame = was?.log.at(-1) === log.at(-1) && was?.log.length === log.length && was.dropped === dropped
      return { settings, facts: channel.facts(), log: isSame ? was.log : [...log], dropped, people, shown }
    })
    for (const listener of this.#listeners) listener()
  }
}
