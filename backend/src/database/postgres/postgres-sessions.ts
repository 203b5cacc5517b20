import type { Logger } from '#contract/logger.ts'
import { DatabaseError } from '#database/database-error.ts'
import type { Lane, RunOptions, Sessions } from '#database/sessions.ts'
import type { Reply } from '#database/wire/reply.ts'
import type { Request } from '#database/wire/request.ts'
import { Connection } from './connection.ts'
import type { ConnectionSettings } from './connection-url.ts'
import { ListenConnection } from './listen-connection.ts'

const closed = (): DatabaseError => new DatabaseError({ sqlstate: '57P03', message: 'the database is closed' })
const silent = (): DatabaseError => new DatabaseError({ sqlstate: '08006', message: 'the database did not answer in time' })

// The server ends a statement at its own limit; past this much more, the connection itself is taken for dead.
const graceMs = 5_000

/** Runs a request, and cuts the connection when the answer stays away long after the server should have given up. */
async function runGuarded(connection: Connection, request: Request, { timeoutMs }: RunOptions): Promise<Reply> {
  if (timeoutMs === 0) return connection.run(request)
  let late = false
  const timer = setTimeout(() => {
    late = true
    connection.destroy()
  }, timeoutMs + graceMs)
  try {
    return await connection.run(request)
  } catch (error) {
    throw late ? silent() : error
  } finally {
    clearTimeout(timer)
  }
}

/** A pool of connections, each used by one request or transaction at a time. */
export class PostgresSessions implements Sessions {
  readonly #settings: ConnectionSettings
  readonly #limit: number
  readonly #listener: ListenConnection
  /** Most recently used last, so that few stay warm. */
  readonly #idle: Connection[] = []
  readonly #all = new Set<Connection>()
  readonly #line: ((connection: Connection | Promise<Connection>) => void)[] = []
  #opening = 0
  #closed = false

  constructor(settings: ConnectionSettings, limit: number, log: Logger) {
    this.#settings = settings
    this.#limit = limit
    this.#listener = new ListenConnection(settings, log)
  }

  once(request: Request, options: RunOptions): Promise<Reply> {
    return this.#use((connection) => runGuarded(connection, request, options))
  }

  hold<T>(work: (lane: Lane) => Promise<T>): Promise<T> {
    return this.#use(async (connection) => {
      let status: Reply['status'] = 'I'
      try {
        return await work({
          run: async (request, options) => {
            const reply = await runGuarded(connection, request, options)
            status = reply.status
            return reply
          },
        })
      } finally {
        // Left inside a transaction, which no other may find.
        if (status !== 'I') connection.destroy()
      }
    })
  }

  forgetStatements(): void {
    for (const connection of this.#all) connection.forgetStatements()
  }

  listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>> {
    return this.#listener.listen(channel, hear)
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#listener.close()
    for (const connection of this.#idle.splice(0)) connection.close()
    // What still runs is given a moment, then cut.
    for (let waited = 0; this.#all.size > 0 && waited < 5_000; waited += 20) await new Promise((resolve) => { setTimeout(resolve, 20) })
    for (const connection of this.#all) connection.destroy()
  }

  async #use<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
    const connection = await this.#take()
    try {
      return await work(connection)
    } finally {
      this.#give(connection)
    }
  }

  #take(): Connection | Promise<Connection> {
    if (this.#closed) return Promise.reject(closed())
    const connection = this.#idle.pop()
    if (connection) return connection
    if (this.#all.size + this.#opening < this.#limit) return this.#open()
    return new Promise((resolve) => { this.#line.push(resolve) })
  }

  #give(connection: Connection): void {
    if (!connection.usable) return
    if (this.#closed) return connection.close()
    const next = this.#line.shift()
    if (next) next(connection)
    else this.#idle.push(connection)
  }

  async #open(): Promise<Connection> {
    this.#opening += 1
    try {
      const connection: Connection = await Connection.open(this.#settings, { notification: () => undefined, gone: () => this.#forget(connection) })
      this.#all.add(connection)
      return connection
    } finally {
      this.#opening -= 1
      // After a failure, whoever waits must not wait for a connection that nobody opens any more.
      this.#refill()
    }
  }

  #forget(connection: Connection): void {
    if (!this.#all.delete(connection)) return
    const at = this.#idle.indexOf(connection)
    if (at >= 0) this.#idle.splice(at, 1)
    this.#refill()
  }

  /** Opens a connection for whoever waits, now that there is room. */
  #refill(): void {
    if (this.#closed || this.#all.size + this.#opening >= this.#limit) return
    const next = this.#line.shift()
    if (next) next(this.#open())
  }
}
