import type { RequestFacts } from '#contract/caller.ts'
import type { Logger } from '#contract/logger.ts'
import { broadcastOn } from './broadcast.ts'
import type { Subscription } from './change-feed.ts'
import { reasonOf, tooManyEvents, type Refusal } from './errors.ts'
import { encodePush, encodeReply, encodeShared } from './frames/encode.ts'
import type { Incoming, Ref, Version } from './frames/message.ts'
import { topicOf, type Group, type Member } from './groups.ts'
import type { Home } from './home.ts'
import { admit, settle } from './join.ts'
import type { Permissions } from './permissions.ts'
import type { Presence } from './presence.ts'
import { presenceOn } from './presence-events.ts'
import { Window } from './rate.ts'
import { TaskQueue } from './task-queue.ts'
import { renewToken } from './renew-token.ts'
import { expiryOf, type Reader } from './tokens.ts'
import type { JoinRequest } from './wire.ts'

/** A socket as its channels see it. */
export interface ChannelSocket {
  readonly version: Version
  /** What policies may read about the handshake. */
  readonly facts: RequestFacts
  readonly log: Logger
  write(frame: Buffer): void
  /** Writes one frame in parts, of which some may wait in other sockets, too. */
  writeParts(parts: readonly Buffer[]): void
  /** Judges a token; undefined stands for the one the socket was opened with. */
  judge(token: string | undefined): Promise<{ reader: Reader } | { refusal: Refusal }>
  /** Counts a message, or so many; false when there are too many. */
  countEvent(count?: number): boolean
  /** Forgets the channel, if it is still the one of its topic. */
  forget(channel: Channel): void
  /** Counts messages that wait for an answer of the database, so that not many more are read meanwhile. */
  countWaiting(change: number): void
  /** Closes the socket after what was written to it. */
  drop(code: number, reason: string): void
}

/** What a channel is from its join on. */
export interface Joined {
  request: JoinRequest
  reader: Reader
  /** The token as it was sent, undefined for the socket's own: a repeated one is not judged again. */
  token: string | undefined
  group: Group
  /** Undefined on public channels, where everything is allowed. */
  permissions: Permissions | undefined
  presenceKey: string
  presenceLimit: Window
  presence: Presence | undefined
  /** The words of `presence`, to tell when nothing changed. */
  presenceWords: string | undefined
  subscription: Subscription | undefined
}

/** One join of one socket: lives from `phx_join` until it is left, replaced, refused or shut down. */
export class Channel implements Member {
  readonly home: Home
  readonly socket: ChannelSocket
  readonly topic: string
  /** Without the `realtime:` prefix. */
  readonly name: string
  readonly joinRef: Ref
  readonly version: Version
  readonly #queue: TaskQueue
  readonly #replayed = new Set<string>()
  /** While a replay is read: frames that came live meanwhile, and the stored messages among them. */
  #held: Buffer[] | undefined
  #heldBytes = 0
  #heldIds: Set<string> | undefined
  #joined: Joined | undefined
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(home: Home, socket: ChannelSocket, { topic, joinRef }: { topic: string; joinRef: Ref }) {
    this.home = home
    this.socket = socket
    this.topic = topic
    this.name = topic.slice(topicOf('').length)
    this.joinRef = joinRef
    this.version = socket.version
    this.#queue = new TaskQueue((change) => socket.countWaiting(change))
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get joined(): Joined | undefined {
    return this.#joined
  }

  get hearsBroadcasts(): boolean {
    return this.#joined?.permissions?.mayHear('broadcast') ?? true
  }

  get hearsPresence(): boolean {
    return this.#joined?.permissions?.mayHear('presence') ?? true
  }

  hasHeard(messageId: string): boolean {
    this.#heldIds?.add(messageId)
    return this.#replayed.has(messageId)
  }

  write(frame: Buffer): void {
    if (!this.#held) return this.socket.write(frame)
    this.#held.push(frame)
    this.#heldBytes += frame.length
    if (this.#heldBytes > this.home.deps.settings.maxQueuedBytes) this.socket.drop(1013, 'Messages are not read fast enough')
  }

  reply(ref: Ref, status: 'ok' | 'error', response: unknown = {}): void {
    this.socket.write(encodeReply(this.version, { joinRef: this.joinRef, ref, topic: this.topic, status, response }))
  }

  /** Sends to this channel alone. @param json the payload. */
  push(event: string, json: string): void {
    this.write(encodePush(this.version, { joinRef: this.joinRef, topic: this.topic, event, json }))
  }

  /** Sends to this channel what others are sent, too. @param shared the payload as JSON. */
  pushShared(event: string, shared: Buffer): void {
    this.socket.writeParts(encodeShared(this.version, { joinRef: this.joinRef, topic: this.topic, event, shared }))
  }

  tellSystem(extension: 'system' | 'postgres_changes', status: 'ok' | 'error', message: string): void {
    this.push('system', JSON.stringify({ extension, status, message, channel: this.name }))
  }

  /** Asks whether this channel may be had, and answers. A refusal is answered late, so that clients ask again slowly. */
  join(payload: unknown, ref: Ref): void {
    this.#queue.run(() => this.#guard(async () => {
      const outcome = await admit(this, payload)
      if (this.#isClosed) return 'joined' in outcome ? outcome.joined.group.dropIfEmpty() : undefined
      if ('refusal' in outcome) return this.refuse(ref, outcome.refusal)
      this.#joined = outcome.joined
      await settle(this, outcome.joined, ref)
    }))
  }

  /** Answers that the channel cannot be had, after a while, and forgets it. */
  refuse(ref: Ref, refusal: Refusal): void {
    this.socket.log.info('join refused', { topic: this.name.slice(0, 200), code: refusal.code })
    this.later(this.home.deps.settings.joinErrorDelayMs, () => {
      this.reply(ref, 'error', { reason: reasonOf(refusal) })
      this.close()
    })
  }

  /** Takes a message that is neither a join nor a leave. */
  receive(incoming: Incoming): void {
    this.#queue.run(() => {
      const joined = this.#joined
      if (this.#isClosed || !joined) return undefined
      try {
        const work = this.#take(incoming, joined)
        return work && this.#guard(() => work)
      } catch (error) {
        return this.#fail(error)
      }
    })
  }

  /** The client leaves: answered in turn, or at once when the join is still under way. */
  leave(ref: Ref): void {
    const leave = () => {
      if (this.#isClosed) return
      this.reply(ref, 'ok')
      this.#sayOver('phx_close')
      this.close()
    }
    if (this.#joined) this.#queue.run(leave)
    else leave()
  }

  /** The same socket joins the topic anew. */
  replace(): void {
    if (this.#joined) this.#sayOver('phx_close')
    this.close()
  }

  /** Closes the channel for a reason the client is told. */
  shutDown(message: string): void {
    if (this.#isClosed) return
    this.tellSystem('system', 'error', message)
    this.#sayOver('phx_close')
    this.socket.log.info('channel closed', { topic: this.name.slice(0, 200), reason: message })
    this.close()
  }

  /** Closes the channel when its token has ended. */
  checkToken(now: number): void {
    const expiresAt = this.#joined?.reader.expiresAt ?? Number.POSITIVE_INFINITY
    if (expiresAt <= now) this.shutDown(expiryOf(expiresAt, now).message)
  }

  /** Ends everything that belongs to the channel, without a word. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#queue.stop()
    const joined = this.#joined
    if (joined) {
      joined.subscription?.unsubscribe()
      if (joined.presence) this.home.changePresence(joined.group.place, { leaves: joined.presence })
      joined.group.leave(this)
    }
    this.socket.forget(this)
  }

  /** Keeps what comes live while older messages are read, so that they are told first, and nothing twice. */
  holdLive(): void {
    this.#held = []
    this.#heldIds = new Set()
  }

  /** Ends `holdLive`. Gives the ids of the stored messages that came meanwhile, and the frames to send after the older ones. */
  releaseLive(replayedIds: readonly string[]): Buffer[] {
    const held = this.#held ?? []
    for (const id of replayedIds) this.#replayed.add(id)
    this.#held = undefined
    this.#heldBytes = 0
    this.#heldIds = undefined
    return held
  }

  /** Whether a stored message has come live while older ones were read. */
  cameLive(messageId: string): boolean {
    return this.#heldIds?.has(messageId) ?? false
  }

  /** Calls later, unless the channel is closed by then. One at a time. */
  later(delayMs: number, work: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(work, delayMs)
    this.#timer.unref()
  }

  #take(incoming: Incoming, joined: Joined): void | Promise<void> {
    if (!this.socket.countEvent()) return this.shutDown(tooManyEvents)
    switch (incoming.event) {
      case 'broadcast': return broadcastOn(this, joined, incoming)
      case 'presence': return presenceOn(this, joined, incoming)
      case 'access_token': return renewToken(this, joined, incoming.payload)
      default: return undefined
    }
  }

  async #guard(work: () => void | Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      this.#fail(error)
    }
  }

  // The client joins again on `phx_error`.
  #fail(error: unknown): void {
    this.socket.log.error('a channel failed', { error })
    if (!this.#isClosed) this.#sayOver('phx_error')
    this.close()
  }

  #sayOver(event: 'phx_close' | 'phx_error'): void {
    this.socket.write(encodePush(this.version, { joinRef: this.joinRef, ref: this.joinRef, topic: this.topic, event, json: '{}' }))
  }
}
