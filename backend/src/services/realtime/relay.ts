import { randomUUID } from 'node:crypto'
import type { Clock } from '#contract/clock.ts'
import type { Logger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import type { Message, Place } from './groups.ts'
import type { Presence } from './presence.ts'
import { notifyAll } from './relay.queries.ts'
import { createOpener, createSealer } from './sealed-parts.ts'

/** What another process tells. */
export interface RelayEars {
  onMessage(place: Place, message: Message): void
  onPresence(sender: string, place: Place, change: { joins?: Presence; leaves?: Presence }): void
  /** A process tells of everybody it has; whoever it had besides is gone. An empty list when it ended. */
  onAllPresences(sender: string, all: readonly (readonly [Place, Presence])[]): void
  /** What this process has, for others. */
  listPresences(): readonly (readonly [Place, Presence])[]
}

type Told =
  | { kind: 'message'; place: Place; json?: string; base64?: string; event?: string; wholeJson?: string; id?: string }
  | { kind: 'presence'; place: Place; joins?: Presence; leaves?: Presence }
  /** `isQuestion`: the others answer with theirs. */
  | { kind: 'presences'; all: readonly (readonly [Place, Presence])[]; isQuestion: boolean }
  | { kind: 'alive' }

export interface RelayDeps {
  database: Database
  clock: Clock
  logger: Logger
  /** Shared by all processes of the project. */
  secret: string
  /** How often it says that it is there. Default 10 s. */
  aliveEveryMs?: number
}

const channel = 'portico_realtime'
const usualAliveEveryMs = 10_000
const goneAfterMs = 35_000
const helloWaitMs = 5_000
const mostWaitingBytes = 64_000_000

function pack(place: Place, message: Message): Told {
  if ('wholeJson' in message) return { kind: 'message', place, wholeJson: message.wholeJson }
  const { event, payload, meta } = message
  const id = meta === undefined ? {} : { id: meta.id }
  return 'json' in payload
    ? { kind: 'message', place, event, json: payload.json, ...id }
    : { kind: 'message', place, event, base64: Buffer.from(payload.bytes).toString('base64'), ...id }
}

function unpack({ event = '', json, base64, wholeJson, id }: Extract<Told, { kind: 'message' }>): Message {
  if (wholeJson !== undefined) return { wholeJson }
  const meta = id === undefined ? {} : { meta: { id } }
  return { event, payload: json === undefined ? { bytes: Buffer.from(base64 ?? '', 'base64') } : { json }, ...meta }
}

/**
 * Carries broadcasts and presences between the processes that share a Postgres, by notifications. The built-in engine is one
 * process' alone: there nothing is sent.
 */
export class Relay {
  readonly #deps: RelayDeps
  readonly #ears: RelayEars
  readonly #self = randomUUID()
  readonly #seal: (text: string) => string[]
  readonly #open: (notification: string) => { sender: string; text: string } | undefined
  readonly #peers = new Map<string, number>()
  #waiting: string[] = []
  #waitingBytes = 0
  #sending: Promise<void> | undefined
  #stop: (() => Promise<void>) | undefined
  #timer: NodeJS.Timeout | undefined
  #saidHelloAt = Number.POSITIVE_INFINITY

  constructor(deps: RelayDeps, ears: RelayEars) {
    this.#deps = deps
    this.#ears = ears
    this.#seal = createSealer(deps.secret, this.#self)
    this.#open = createOpener(deps.secret)
  }

  /** Listens and says hello. */
  async start(): Promise<void> {
    if (this.#deps.database.engine === 'pglite') return
    this.#stop = await this.#deps.database.listen(channel, (payload) => this.#hear(payload))
    this.#saidHelloAt = this.#deps.clock.now()
    this.#timer = setInterval(() => this.#keepAlive(), this.#deps.aliveEveryMs ?? usualAliveEveryMs)
    this.#timer.unref()
    this.#tell({ kind: 'presences', all: [], isQuestion: true })
    await this.#sending
  }

  /** Says goodbye: the others take this process' people off their lists. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    if (!this.#stop) return
    this.#tell({ kind: 'presences', all: [], isQuestion: false })
    await this.#sending
    await this.#stop()
    this.#stop = undefined
  }

  send(place: Place, message: Message): void {
    if (this.#isAlone()) return
    this.#tell(pack(place, message))
  }

  sendPresence(place: Place, change: { joins?: Presence; leaves?: Presence | undefined }): void {
    if (this.#isAlone()) return
    const { joins, leaves } = change
    this.#tell({ kind: 'presence', place, ...(joins ? { joins } : {}), ...(leaves ? { leaves } : {}) })
  }

  /** Nobody else has answered since the hello; whoever comes later says hello too. */
  #isAlone(): boolean {
    return !this.#stop || (this.#peers.size === 0 && this.#deps.clock.now() - this.#saidHelloAt > helloWaitMs)
  }

  #tell(told: Told): void {
    const parts = this.#seal(JSON.stringify(told))
    const bytes = parts.reduce((sum, part) => sum + part.length, 0)
    if (this.#waitingBytes + bytes > mostWaitingBytes) {
      this.#deps.logger.warn('a message to other processes was dropped: the database does not take them fast enough')
      return
    }
    this.#waiting.push(...parts)
    this.#waitingBytes += bytes
    this.#sending ??= this.#sendWaiting().finally(() => {
      this.#sending = undefined
    })
  }

  async #sendWaiting(): Promise<void> {
    while (this.#waiting.length > 0) {
      const parts = this.#waiting
      this.#waiting = []
      this.#waitingBytes = 0
      try {
        await this.#deps.database.asAdmin('supabase_admin', (tx) => notifyAll(tx, channel, parts))
      } catch (error) {
        this.#deps.logger.error('telling other processes failed', { error })
      }
    }
  }

  #hear(notification: string): void {
    // The listening connection was lost and is back: what was missed is asked for.
    if (notification === '') return this.#tell({ kind: 'presences', all: this.#ears.listPresences(), isQuestion: true })
    if (notification.startsWith(this.#self)) return
    const opened = this.#open(notification)
    if (!opened) return
    const isNew = !this.#peers.has(opened.sender)
    this.#peers.set(opened.sender, this.#deps.clock.now())
    const told = JSON.parse(opened.text) as Told
    this.#take(opened.sender, told)
    if (isNew || (told.kind === 'presences' && told.isQuestion)) {
      this.#tell({ kind: 'presences', all: this.#ears.listPresences(), isQuestion: false })
    }
  }

  #take(sender: string, told: Told): void {
    switch (told.kind) {
      case 'message': return this.#ears.onMessage(told.place, unpack(told))
      case 'presence': return this.#ears.onPresence(sender, told.place, told)
      case 'presences': return this.#ears.onAllPresences(sender, told.all)
      case 'alive': return undefined
    }
  }

  #keepAlive(): void {
    const now = this.#deps.clock.now()
    for (const [peer, heardAt] of this.#peers) {
      if (now - heardAt < goneAfterMs) continue
      this.#peers.delete(peer)
      this.#ears.onAllPresences(peer, [])
    }
    this.#tell({ kind: 'alive' })
  }
}
