import type { Client, ProjectClient } from './client.ts'
import { OpenChannel, type ChannelEvent, type ChannelFacts, type ChannelWish } from './open-channel.ts'

export { isFinalFault } from './open-channel.ts'
export type { Change, ChangesWish, ChannelEvent, ChannelFacts, ChannelFault, ChannelState, ChannelWish, OpenChannel, PresentPeople, SendOutcome } from './open-channel.ts'

/** Whether the one socket that carries every channel of this tab stands. */
export type SocketState = 'connecting' | 'open' | 'closing' | 'closed'

/** One socket carries a topic once: joining it again would end the first. */
export class TopicTaken extends Error {
  constructor(topic: string) {
    super(`This tab has joined ${topic} already`)
  }
}

// A tab that nobody looks at leaves its channels after a while, and catches up when it is seen again.
const asleepAfterMs = 5 * 60_000
const watchEveryMs = 400
const giveUpAfterMs = 2 * 60_000
const restMs = 5 * 60_000
const closedKept = 20

const books = new WeakMap<ProjectClient, ChannelBook>()

/** The book of a project's client; the same one whoever asks. */
export function channelsOf(connection: ProjectClient): ChannelBook {
  const known = books.get(connection)
  if (known) return known
  const book = new ChannelBook(connection)
  books.set(connection, book)
  return book
}

/** Every live channel of one project in this tab, with its state; what the inspector and the channel screen read. */
export class ChannelBook {
  readonly #connection: ProjectClient
  readonly #client: Client
  readonly #held = new Map<number, OpenChannel>()
  readonly #leaving = new Map<string, Promise<void>>()
  readonly #listeners = new Set<() => void>()
  #shown: readonly ChannelFacts[] = []
  #socket: SocketState = 'closed'
  #lastId = 0
  #watch: ReturnType<typeof setInterval> | undefined
  /** When the socket was first asked for without having opened since; 0 once it has. */
  #tryingSince = 0
  #resting: ReturnType<typeof setTimeout> | undefined

  constructor(connection: ProjectClient) {
    const { client } = connection
    this.#connection = connection
    this.#client = client
    connection.onClose(() => this.#each((channel) => channel.close()))
    client.auth.onAuthStateChange((event) => {
      if (event === 'SIGNED_OUT') this.#each((channel) => channel.close())
    })
    sleepWhileHidden((act) => this.#each(act))
  }

  /** Oldest first, the latest closed ones included; the same array until something changes, for `useSyncExternalStore`. */
  readonly list = (): readonly ChannelFacts[] => this.#shown

  /** Whether the one socket under all channels stands. */
  readonly socket = (): SocketState => this.#socket

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  isTaken(topic: string): boolean {
    return [...this.#held.values()].some((channel) => channel.facts().topic === topic && !channel.isClosed())
  }

  /** Joins a channel and keeps it joined until it is closed. Throws `TopicTaken` while this tab holds one of that name. */
  open(wish: ChannelWish): OpenChannel {
    const { topic } = wish
    if (this.isTaken(topic)) throw new TopicTaken(topic)
    this.#lastId += 1
    const onEvent: ChannelWish['onEvent'] = (event) => {
      if (event.kind === 'joined') this.#connection.connection.report('online')
      wish.onEvent(event)
    }
    const channel = new OpenChannel(this.#client, { ...wish, onEvent, id: this.#lastId }, {
      changed: () => this.#tell(),
      untilFree: () => this.#leaving.get(topic) ?? Promise.resolve(),
      left: (left) => {
        this.#leaving.set(topic, left)
        void left.then(() => this.#leaving.get(topic) === left && this.#leaving.delete(topic))
      },
    })
    this.#held.set(this.#lastId, channel)
    const closed = [...this.#held].filter(([, other]) => other.isClosed())
    for (const [old] of closed.slice(0, -closedKept)) this.#held.delete(old)
    this.#tell()
    return channel
  }

  #each(act: (channel: OpenChannel) => void) {
    for (const channel of Array.from(this.#held.values())) act(channel)
  }

  #tell() {
    this.#shown = [...this.#held.values()].map((channel) => channel.facts())
    const before = this.#socket
    this.#socket = this.#client.realtime.connectionState() as SocketState
    if (this.#socket === 'open') this.#tryingSince = 0
    if (before === 'open' && this.#socket !== 'open' && this.#isWanted()) void this.#probe()
    for (const listener of this.#listeners) listener()
    if (!this.#isSettled()) this.#watch ??= setInterval(() => this.#look(), watchEveryMs)
  }

  // The official client says when a channel was joined or lost, not that it is being joined again: that is looked up while it matters.
  #look() {
    this.#each((channel) => channel.look())
    this.#giveUpSometimes()
    if (this.#client.realtime.connectionState() !== this.#socket) this.#tell()
    if (!this.#isSettled()) return
    clearInterval(this.#watch)
    this.#watch = undefined
  }

  #isWanted(): boolean {
    return [...this.#held.values()].some((channel) => !channel.isClosed() && channel.facts().state !== 'closed')
  }

  // A socket ends when the network does, or the project: whether it still answers is what the offline line tells.
  async #probe() {
    const { project, fetch: projectFetch } = this.#connection
    await projectFetch(`${project.url}/auth/v1/health`, { headers: { apikey: project.key } }).catch(() => undefined)
  }

  // Where no socket ever opens there is no service behind the address: it is asked for seldom then.
  #giveUpSometimes() {
    if (this.#socket === 'open' || !this.#isWanted()) return
    this.#tryingSince ||= Date.now()
    if (Date.now() - this.#tryingSince < giveUpAfterMs || this.#resting !== undefined) return
    void this.#client.realtime.disconnect()
    this.#resting = setTimeout(() => {
      this.#resting = undefined
      this.#tryingSince = 0
      if (this.#isWanted()) this.#client.realtime.connect()
    }, restMs)
  }

  #isSettled(): boolean {
    const isMoving = this.#socket === 'connecting' || this.#socket === 'closing'
    return !isMoving && [...this.#held.values()].every((channel) => channel.isClosed() || ['joined', 'closed'].includes(channel.facts().state))
  }
}

function sleepWhileHidden(each: (act: (channel: OpenChannel) => void) => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined
  globalThis.document?.addEventListener('visibilitychange', () => {
    clearTimeout(timer)
    if (document.visibilityState === 'hidden') timer = setTimeout(() => each((channel) => channel.sleep()), asleepAfterMs)
    else each((channel) => channel.wake())
  })
}

/** Says in one line what an event was, for lists: the names in it, never what it carried. */
export function eventText(event: ChannelEvent): string {
  switch (event.kind) {
    case 'broadcast': return event.event
    case 'presence': return `${event.action} ${event.key}`.trim()
    case 'changes': return `${event.change.type} ${event.change.schema}.${event.change.table}`
    case 'system': return event.message
    case 'fault': return event.fault.message
    case 'joined': return ''
  }
}
