import { connect as connectSocket, type Socket } from 'node:net'
import { connect as connectTls, TLSSocket } from 'node:tls'
import { serialize } from 'pg-protocol'
import { DatabaseError } from '#database/database-error.ts'
import { toDatabaseError, type Reply, type WireMessage } from '#database/wire/reply.ts'
import type { Request } from '#database/wire/request.ts'
import { WireSession } from '#database/wire/session.ts'
import { md5Response, ScramClient } from './authentication.ts'
import { tlsOptions, type ConnectionSettings } from './connection-url.ts'

export interface ConnectionEvents {
  notification(channel: string, payload: string): void
  /** The connection is gone, asked for or not. */
  gone(): void
}

const unreachable = (cause: unknown): DatabaseError =>
  new DatabaseError({ sqlstate: '08001', message: `could not connect to the database: ${cause instanceof Error ? cause.message : String(cause)}` }, { cause })

const lost = (cause?: unknown): DatabaseError =>
  new DatabaseError({ sqlstate: '08006', message: 'the connection to the database was lost' }, { cause })

const once = (socket: Socket, event: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const settle = (error?: Error): void => {
      socket.off('error', settle).off('close', closed).off(event, done)
      if (error) reject(error)
      else resolve()
    }
    const done = (): void => settle()
    const closed = (): void => settle(new Error('the server closed the connection'))
    socket.once(event, done).once('error', settle).once('close', closed)
  })

/** Asks for TLS; gives `S` or `N`. Reads one byte only, so that nothing sent before the handshake is taken for part of it. */
async function askForTls(socket: Socket): Promise<string> {
  socket.write(serialize.requestSsl())
  for (;;) {
    const answer = socket.read(1) as Buffer | null
    if (answer) {
      if (socket.readableLength > 0) throw new Error('the server sent data before the TLS handshake')
      return answer.toString('latin1')
    }
    await once(socket, 'readable')
  }
}

async function openSocket(settings: ConnectionSettings): Promise<Socket> {
  const socket = connectSocket({ ...settings.address, keepAlive: true, noDelay: true })
  const timer = setTimeout(() => socket.destroy(new Error('timed out')), settings.connectTimeoutMs)
  try {
    await once(socket, 'connect')
    // A Unix socket carries no TLS, as in libpq.
    if ('path' in settings.address || settings.sslMode === 'disable' || settings.sslMode === 'allow') return socket
    if ((await askForTls(socket)) === 'S') {
      const secure = connectTls({ ...tlsOptions(settings), socket })
      await once(secure, 'secureConnect')
      return secure
    }
    if (settings.sslMode === 'prefer') return socket
    throw new Error('the server does not offer TLS')
  } catch (error) {
    socket.destroy()
    throw error
  } finally {
    clearTimeout(timer)
  }
}

/** One authenticated connection: a session over a socket. */
export class Connection {
  readonly #socket: Socket
  readonly #session: WireSession
  readonly #events: ConnectionEvents
  readonly #rejects = new Set<(error: DatabaseError) => void>()
  #unasked: (message: WireMessage) => void = () => undefined
  #open = true
  #ready = false
  #fatal: DatabaseError | undefined

  private constructor(socket: Socket, keepsPrepared: boolean, events: ConnectionEvents) {
    this.#socket = socket
    this.#events = events
    this.#session = new WireSession({
      notification: (channel, payload) => events.notification(channel, payload),
      unasked: (message) => this.#unasked(message),
    }, keepsPrepared ? undefined : 0)
    socket.on('data', (bytes) => this.#receive(bytes))
    socket.on('error', (error) => this.#gone(error))
    socket.on('close', () => this.#gone())
  }

  /** @throws DatabaseError 08001 when the server cannot be reached, or what the server says (28P01, 3D000, 53300). */
  static async open(settings: ConnectionSettings, events: ConnectionEvents): Promise<Connection> {
    const socket = await openSocket(settings).catch((cause: unknown) => { throw unreachable(cause) })
    const connection = new Connection(socket, settings.keepsPrepared, events)
    const timer = setTimeout(() => socket.destroy(new Error('timed out')), settings.connectTimeoutMs)
    try {
      await connection.#authenticate(settings)
      return connection
    } catch (error) {
      socket.destroy()
      throw error instanceof DatabaseError ? error : unreachable(error)
    } finally {
      clearTimeout(timer)
    }
  }

  get usable(): boolean {
    return this.#open
  }

  get #private(): boolean {
    return this.#socket instanceof TLSSocket || this.#socket.remoteAddress === undefined
  }

  run(request: Request): Promise<Reply> {
    if (!this.#open) return Promise.reject(this.#fatal ?? lost())
    return new Promise((resolve, reject) => {
      this.#rejects.add(reject)
      const bytes = this.#session.encode(request, (reply) => {
        this.#rejects.delete(reject)
        resolve(reply)
      })
      this.#socket.write(bytes)
    })
  }

  forgetStatements(): void {
    this.#session.forgetStatements()
  }

  /** Says goodbye. */
  close(): void {
    if (this.#open) this.#socket.end(serialize.end())
  }

  /** Cuts the connection; what runs on it fails with 08006. */
  destroy(): void {
    this.#socket.destroy()
    this.#gone()
  }

  #receive(bytes: Buffer): void {
    try {
      this.#session.receive(bytes)
    } catch (error) {
      // Not the protocol: nothing that follows can be trusted.
      this.#socket.destroy()
      this.#gone(error)
    }
  }

  #gone(cause?: unknown): void {
    if (!this.#open) return
    this.#open = false
    // An error without the end of a reply is the reason the server gave for hanging up.
    const reason = this.#fatal ?? this.#session.pendingError() ?? lost(cause)
    this.#fatal = reason
    this.#unasked({ name: 'gone' })
    for (const reject of this.#rejects) reject(reason)
    this.#rejects.clear()
    if (this.#ready) this.#events.gone()
  }

  #authenticate({ user, password, database, applicationName }: ConnectionSettings): Promise<void> {
    const scram = new ScramClient(password)
    const send = (bytes: Buffer): void => void this.#socket.write(bytes)
    const answer = async (message: WireMessage & { salt?: Buffer; mechanisms?: string[]; data?: string }): Promise<boolean> => {
      switch (message.name) {
        case 'readyForQuery': return true
        case 'error': throw toDatabaseError(message as never)
        case 'gone': throw this.#fatal
        case 'authenticationOk': scram.checkProven(); return false
        case 'authenticationCleartextPassword':
          if (!this.#private) throw new Error('the server asks for the password in clear text over an unencrypted connection')
          send(serialize.password(password))
          return false
        case 'authenticationMD5Password': send(serialize.password(md5Response(user, password, message.salt as Buffer))); return false
        case 'authenticationSASL':
          if (!message.mechanisms?.includes(scram.mechanism)) throw new Error('the server offers no way to sign in that is known here')
          send(serialize.sendSASLInitialResponseMessage(scram.mechanism, scram.first()))
          return false
        case 'authenticationSASLContinue': send(serialize.sendSCRAMClientFinalMessage(await scram.final(message.data ?? ''))); return false
        case 'authenticationSASLFinal': scram.verify(message.data ?? ''); return false
        default: return false
      }
    }
    return new Promise((resolve, reject) => {
      this.#unasked = (message) => {
        answer(message).then((ready) => {
          if (!ready) return
          this.#ready = true
          this.#unasked = (later) => { if (later.name === 'error') this.#fatal = toDatabaseError(later as never) }
          resolve()
        }, reject)
      }
      send(serialize.startup({ user, database, application_name: applicationName }))
    })
  }
}
