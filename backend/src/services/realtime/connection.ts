import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { RequestFacts } from '#contract/caller.ts'
import type { Logger } from '#contract/logger.ts'
import type { UpgradeContext } from '#contract/service.ts'
import { Channel, type ChannelSocket } from './channel.ts'
import { joinTooLarge, malformedToken, reasonOf, restarting, tooManyChannels, tooManyEvents, tooManyJoins, topicNameRequired, topicNameTooLong, type Refusal } from './errors.ts'
import { decode } from './frames/decode.ts'
import { encodeReply } from './frames/encode.ts'
import type { Incoming, Version } from './frames/message.ts'
import type { Home } from './home.ts'
import { topicOf } from './groups.ts'
import { Rate } from './rate.ts'
import { expiryOf, judgeToken, type Reader } from './tokens.ts'

export interface ConnectionParts {
  home: Home
  /** Reads frames and closes; what is sent goes to `stream` directly, framed once for everybody. */
  webSocket: WebSocket
  stream: Duplex
  version: Version
  context: UpgradeContext
}

const prefix = topicOf('')
const unmatched = { reason: 'unmatched topic' }
// More waiting than this, and nothing more is read from the socket until some is done.
const mostWaiting = 16
const cutAfterMs = 5_000
const longestTopic = 1_000
/** Frames smaller than this come with what is waiting anyway. */
const largeBytes = 65_536

/** One socket with its channels. @see Phoenix.Socket of phoenixframework/phoenix */
export class Connection implements ChannelSocket {
  readonly version: Version
  readonly facts: RequestFacts
  readonly log: Logger
  readonly #parts: ConnectionParts
  readonly #channels = new Map<string, Channel>()
  readonly #joins: Rate
  readonly #events: Rate
  #waiting = 0
  #heardAt: number
  #isEnding = false

  constructor(parts: ConnectionParts) {
    const { home, webSocket, version, context } = parts
    const { settings, clock } = home.deps
    this.#parts = parts
    this.version = version
    this.facts = context.facts
    this.log = context.log
    this.#joins = new Rate(settings.maxJoinsPerSecondPerConnection, clock)
    this.#events = new Rate(settings.maxEventsPerSecondPerConnection, clock)
    this.#heardAt = clock.now()
    webSocket.on('message', (data: Buffer, isBinary: boolean) => this.#hear(data, isBinary))
    webSocket.on('ping', () => this.#noteLife())
    // Frames that break the protocol; the socket is closed with the code that says so.
    webSocket.on('error', (error) => this.log.info('a socket failed', { reason: error.message }))
    webSocket.on('close', () => this.#end())
  }

  /** Bytes that wait for the client to read them. */
  get queuedBytes(): number {
    return this.#parts.stream.writableLength
  }

  write(frame: Buffer): void {
    const { webSocket, stream, home } = this.#parts
    if (this.#isEnding || webSocket.readyState !== webSocket.OPEN) return
    if (stream.writableLength > 0 && stream.writableLength + frame.length > home.deps.settings.maxQueuedBytes) return this.drop(1013, 'Messages are not read fast enough')
    stream.write(frame)
  }

  writeParts(parts: readonly Buffer[]): void {
    const { webSocket, stream, home } = this.#parts
    if (this.#isEnding || webSocket.readyState !== webSocket.OPEN) return
    const bytes = parts.reduce((sum, part) => sum + part.length, 0)
    const { settings } = home.deps
    // Those who are behind are sought once a second: a crowd that comes in between and reads nothing must not be given more than there is room for.
    const isFull = bytes > largeBytes && home.largeBytesQueued + bytes > settings.maxQueuedBytesOfAll
    if (isFull || (stream.writableLength > 0 && stream.writableLength + bytes > settings.maxQueuedBytes)) return this.drop(1013, 'Messages are not read fast enough')
    const counted = bytes > largeBytes ? bytes : 0
    home.largeBytesQueued += counted
    stream.cork()
    parts.forEach((part, at) => stream.write(part, at < parts.length - 1 ? undefined : () => void (home.largeBytesQueued -= counted)))
    stream.uncork()
  }

  async judge(token: string | undefined): Promise<{ reader: Reader } | { refusal: Refusal }> {
    const { context, home } = this.#parts
    const now = home.deps.clock.now()
    const verdict = token === undefined ? context.identity : await context.verifyToken(token)
    if (!verdict) return { refusal: malformedToken }
    const judged = judgeToken(verdict, token, now)
    return 'reader' in judged && judged.reader.expiresAt <= now ? { refusal: expiryOf(judged.reader.expiresAt, now) } : judged
  }

  countEvent(count = 1): boolean {
    return this.#events.take(count) && this.#parts.home.events.take(count)
  }

  forget(channel: Channel): void {
    if (this.#channels.get(channel.topic) === channel) this.#channels.delete(channel.topic)
  }

  countWaiting(change: number): void {
    const { webSocket } = this.#parts
    this.#waiting += change
    if (this.#waiting >= mostWaiting && !webSocket.isPaused) webSocket.pause()
    else if (this.#waiting < mostWaiting / 2 && webSocket.isPaused) webSocket.resume()
  }

  drop(code: number, reason: string): void {
    if (this.#isEnding) return
    this.#isEnding = true
    const { webSocket, stream } = this.#parts
    this.log.info('socket closed', { code, reason })
    for (const channel of this.#channels.values()) channel.close()
    webSocket.close(code, reason)
    // A client that does not read does not answer either.
    const cut = setTimeout(() => stream.destroy(), cutAfterMs)
    cut.unref()
    stream.once('close', () => clearTimeout(cut))
  }

  /** Closes the socket when nothing came for too long, and channels whose token has ended. */
  check(now: number): void {
    if (now - this.#heardAt > this.#parts.home.deps.settings.idleTimeoutMs) return this.drop(1000, 'Idle for too long')
    for (const channel of this.#channels.values()) channel.checkToken(now)
  }

  #noteLife(): void {
    this.#heardAt = this.#parts.home.deps.clock.now()
  }

  #hear(data: Buffer, isBinary: boolean): void {
    this.#noteLife()
    if (this.#isEnding) return
    const incoming = decode(this.version, data, isBinary)
    if (!incoming) return this.#countMalformed()
    const { topic, event, ref, joinRef } = incoming
    if (event === 'phx_join') return this.#join(incoming, data.length)
    const channel = this.#channels.get(topic)
    if (channel && event !== 'phx_leave') return channel.receive(incoming)
    if (!this.#events.take()) return this.drop(1008, tooManyEvents)
    if (topic === 'phoenix' && event === 'heartbeat') return this.#reply(incoming, 'ok', {})
    if (!channel) return event === 'phx_leave' ? this.#reply(incoming, 'ok', {}) : this.#reply(incoming, 'error', unmatched)
    // Of a leave that names an earlier join its client has been told already.
    if (joinRef === null || joinRef === channel.joinRef) channel.leave(ref)
  }

  /** What cannot be read is dropped, as on the hosted server; who sends nothing else is dropped too. */
  #countMalformed(): void {
    if (!this.#events.take()) this.drop(1008, 'Too many malformed messages')
  }

  #join(incoming: Incoming, bytes: number): void {
    const { home } = this.#parts
    const { topic, joinRef, ref } = incoming
    if (!topic.startsWith(prefix)) return this.#reply(incoming, 'error', unmatched)
    if (!this.#joins.take() || !home.joins.take()) {
      this.#reply(incoming, 'error', { reason: reasonOf(tooManyJoins) })
      return this.drop(1008, tooManyJoins.message)
    }
    // Answered at once: nothing of it is worth keeping for a while.
    if (bytes > home.deps.settings.maxJoinBytes) return this.#reply(incoming, 'error', { reason: reasonOf(joinTooLarge) })
    if (topic.length > longestTopic) return this.#reply(incoming, 'error', { reason: reasonOf(topicNameTooLong) })
    this.#channels.get(topic)?.replace()
    const channel = new Channel(home, this, { topic, joinRef: joinRef ?? ref })
    const refusal = this.#refusalOf(topic)
    if (refusal) return channel.refuse(ref, refusal)
    this.#channels.set(topic, channel)
    channel.join(incoming.payload, ref)
  }

  #refusalOf(topic: string): Refusal | undefined {
    const { home } = this.#parts
    if (topic === prefix) return topicNameRequired
    if (home.isEnding) return restarting
    return this.#channels.size >= home.deps.settings.maxChannelsPerConnection ? tooManyChannels : undefined
  }

  #reply({ joinRef, ref, topic }: Incoming, status: 'ok' | 'error', response: unknown): void {
    this.write(encodeReply(this.version, { joinRef, ref, topic, status, response }))
  }

  #end(): void {
    this.#isEnding = true
    for (const channel of this.#channels.values()) channel.close()
    this.#channels.clear()
  }
}
