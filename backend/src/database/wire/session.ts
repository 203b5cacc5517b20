import { Buffer } from 'node:buffer'
import { Parser } from 'pg-protocol/dist/parser.js'
import { DatabaseError } from '#database/database-error.ts'
import { PreparedStatements, type Prepared } from './prepared.ts'
import { ReplyReader, type Reply, type WireMessage } from './reply.ts'
import { encodeRequest, type Request } from './request.ts'

/** Hears what a session says out of turn. */
export interface SessionEvents {
  notification(channel: string, payload: string): void
  /** A message while no request waits: the words of signing in, or of a server going down. */
  unasked?(message: WireMessage): void
}

interface Waiting {
  reader: ReplyReader
  prepared: Prepared[]
  settle: (reply: Reply) => void
}

// 26000: somebody ran `deallocate` or `discard`; 0A000 with this text: a column's type changed under the plan.
const isStalePlan = (error: DatabaseError): boolean =>
  error.sqlstate === '26000' || (error.sqlstate === '0A000' && error.message.startsWith('cached plan'))

/** The protocol's state of one session: what is prepared, and which requests wait for their replies, in order. */
export class WireSession {
  readonly #events: SessionEvents
  readonly #parser = new Parser()
  readonly #statements: PreparedStatements
  readonly #waiting: Waiting[] = []

  /** @param mostStatements how many are kept prepared; 0 when another session may answer the next request. */
  constructor(events: SessionEvents, mostStatements?: number) {
    this.#events = events
    this.#statements = new PreparedStatements(mostStatements)
  }

  /** The error already said in a reply that has not ended. */
  pendingError(): DatabaseError | undefined {
    return this.#waiting[0]?.reader.reply.error
  }

  /** Makes the bytes to send. `settle` is called when the reply is whole. */
  encode(request: Request, settle: (reply: Reply) => void): Buffer {
    const { bytes, prepared } = encodeRequest(request, this.#statements)
    this.#waiting.push({ reader: new ReplyReader(prepared), prepared, settle })
    return bytes
  }

  receive(bytes: Uint8Array): void {
    this.#parser.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), (message) => this.#take(message as WireMessage))
  }

  #take(message: WireMessage): void {
    if (message.name === 'notification') {
      const { channel, payload } = message as unknown as { channel: string; payload: string }
      this.#events.notification(channel, payload)
      return
    }
    const current = this.#waiting[0]
    if (!current) return this.#events.unasked?.(message)
    if (!current.reader.take(message)) return
    this.#waiting.shift()
    this.#learn(current)
    current.settle(current.reader.reply)
  }

  // After an error the statements that were not reached may not have been parsed: they are prepared anew when next used.
  #learn({ reader: { reply }, prepared }: Waiting): void {
    if (!reply.error) return
    for (const statement of prepared.slice(reply.results.length)) this.#statements.drop(statement)
    if (isStalePlan(reply.error)) stale.add(reply.error)
  }

  forgetStatements(): void {
    this.#statements.dropAll()
  }
}

const stale = new WeakSet<DatabaseError>()

/** Whether the failure says nothing about the statement: run again, it is planned anew. */
export const isStale = (error: DatabaseError): boolean => stale.has(error)
