import { STATUS_CODES } from 'node:http'
import type { WebSocket, WebSocketServer } from 'ws'
import type { Upgrade, UpgradeContext } from '#contract/service.ts'
import { Connection } from './connection.ts'
import type { Refusal } from './errors.ts'
import type { Version } from './frames/message.ts'
import type { Home } from './home.ts'
import { judgeToken } from './tokens.ts'

const checkEveryMs = 1_000

interface Refused {
  status: number
  error: string
}

const wrongVersion: Refused = { status: 400, error: 'Unsupported version of the serializer: vsn must be 1.0.0 or 2.0.0' }
const noKey: Refused = { status: 401, error: 'API key is missing' }
const tooManyConnections: Refused = { status: 429, error: 'Too many connected users' }
const restarting: Refused = { status: 503, error: 'Realtime is restarting, please standby' }
const headersTooLarge: Refused = { status: 431, error: 'A header of the handshake is longer than [realtime] max_header_length of config.toml' }

// The seconds are told inside a channel only.
const unauthorized = ({ message }: Refusal): Refused => ({ status: 401, error: message.replace(/ \d+ seconds ago$/, '') })

function readVersion(url: URL): Version | undefined {
  const vsn = url.searchParams.get('vsn') ?? '1.0.0'
  if (/^1\.0\.\d+$/.test(vsn)) return 1
  return /^2\.0\.\d+$/.test(vsn) ? 2 : undefined
}

/** Answers a handshake that is not granted, after a while: clients that try again at once should not. */
async function refuse({ socket }: Upgrade, { status, error }: Refused, delayMs: number): Promise<number> {
  await new Promise<void>((resolve) => {
    const wait = setTimeout(resolve, delayMs)
    wait.unref()
    socket.once('close', () => {
      clearTimeout(wait)
      resolve()
    })
  })
  const body = JSON.stringify({ error })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  return status
}

/** All WebSockets of this process. */
export class Sockets {
  readonly #home: Home
  #server: Promise<WebSocketServer> | undefined
  readonly #open = new Set<Connection>()
  #timer: NodeJS.Timeout | undefined

  constructor(home: Home) {
    this.#home = home
  }

  get size(): number {
    return this.#open.size
  }

  /** Answers a handshake. @returns the HTTP status that was answered. */
  async accept(upgrade: Upgrade, context: UpgradeContext): Promise<number> {
    const refused = this.#refusalOf(upgrade, context)
    const version = readVersion(context.url)
    if (refused || !version) return refuse(upgrade, refused ?? wrongVersion, this.#home.deps.settings.refusalDelayMs)
    const server = await (this.#server ??= this.#load())
    return new Promise((resolve) => {
      const { request, socket, head } = upgrade
      // A malformed handshake is answered by the library, and the socket ended.
      socket.once('close', () => resolve(400))
      server.handleUpgrade(request, socket, head, (webSocket) => {
        this.#take({ upgrade, context, version, webSocket })
        resolve(101)
      })
    })
  }

  /** Tells every client to come back, and closes. Settles when all sockets are closed. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    for (const connection of this.#open) connection.drop(1012, 'Realtime is restarting')
    while (this.#open.size > 0) await new Promise((resolve) => setTimeout(resolve, 20))
  }

  // Read when the first socket comes: a start needs none of it.
  async #load(): Promise<WebSocketServer> {
    const { WebSocketServer } = await import('ws')
    return new WebSocketServer({
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      maxPayload: this.#home.deps.settings.maxFrameBytes,
    })
  }

  #take({ upgrade, context, version, webSocket }: { upgrade: Upgrade; context: UpgradeContext; version: Version; webSocket: WebSocket }): void {
    const connection = new Connection({ home: this.#home, webSocket, stream: upgrade.socket, version, context })
    this.#open.add(connection)
    webSocket.once('close', () => this.#open.delete(connection))
    this.#timer ??= setInterval(() => this.#check(), checkEveryMs)
    this.#timer.unref()
  }

  #refusalOf({ request }: Upgrade, { identity }: UpgradeContext): Refused | undefined {
    const { settings, clock } = this.#home.deps
    const longest = Math.max(...Object.entries(request.headers).map(([name, value]) => (name === 'cookie' ? 0 : String(value).length)))
    if (this.#home.isEnding) return restarting
    if (longest > settings.maxHeaderBytes) return headersTooLarge
    if (!identity) return noKey
    if (this.#open.size >= settings.maxConnections) return tooManyConnections
    const judged = judgeToken(identity, undefined, clock.now())
    return 'refusal' in judged ? unauthorized(judged.refusal) : undefined
  }

  #check(): void {
    const now = this.#home.deps.clock.now()
    let queuedBytes = 0
    for (const connection of this.#open) {
      connection.check(now)
      queuedBytes += connection.queuedBytes
    }
    if (queuedBytes <= this.#home.deps.settings.maxQueuedBytesOfAll) return
    // Together they hold more than there is room for: those that are furthest behind go first.
    for (const connection of [...this.#open].sort((a, b) => b.queuedBytes - a.queuedBytes)) {
      if (queuedBytes <= this.#home.deps.settings.maxQueuedBytesOfAll / 2) break
      queuedBytes -= connection.queuedBytes
      connection.drop(1013, 'Messages are not read fast enough')
    }
  }
}
