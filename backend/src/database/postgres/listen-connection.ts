import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '#contract/logger.ts'
import { Listeners } from '#database/listeners.ts'
import { plainStep } from '#database/wire/request.ts'
import { Connection } from './connection.ts'
import type { ConnectionSettings } from './connection-url.ts'

const firstDelayMs = 200
const longestDelayMs = 5_000

/** The one connection that listens. Lost, it comes back by itself and tells every listener to look, since something may have been missed. */
export class ListenConnection {
  readonly #settings: ConnectionSettings
  readonly #log: Logger
  readonly #listeners = new Listeners()
  #connection: Promise<Connection> | undefined
  #closed = false

  constructor(settings: ConnectionSettings, log: Logger) {
    this.#settings = settings
    this.#log = log
  }

  async listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>> {
    return this.#listeners.add(channel, hear, async (text) => {
      if (!this.#closed) await this.#run(await (this.#connection ??= this.#open()), text)
    })
  }

  close(): void {
    this.#closed = true
    this.#connection?.then((connection) => connection.close(), () => undefined)
  }

  #open(): Promise<Connection> {
    const opening = Connection.open(this.#settings, {
      notification: (channel, payload) => this.#listeners.notify(channel, payload),
      gone: () => this.#lost(),
    })
    opening.catch(() => { if (this.#connection === opening) this.#connection = undefined })
    return opening
  }

  async #run(connection: Connection, text: string): Promise<void> {
    const { error } = await connection.run({ steps: [plainStep(text)] })
    if (error) throw error
  }

  #lost(): void {
    if (this.#closed || this.#listeners.channels().length === 0) return
    this.#log.warn('the listening connection was lost')
    this.#connection = this.#reopen()
    this.#connection.catch(() => undefined)
  }

  async #reopen(): Promise<Connection> {
    for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, longestDelayMs)) {
      await sleep(delayMs, undefined, { ref: false })
      if (this.#closed) throw new Error('the database is closed')
      try {
        const connection = await this.#open()
        for (const text of this.#listeners.channels()) await this.#run(connection, text)
        this.#listeners.notifyAll()
        return connection
      } catch (error) {
        this.#log.debug('the listening connection did not come back yet', { reason: error instanceof Error ? error.message : String(error) })
      }
    }
  }
}
