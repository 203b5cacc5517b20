import type { Logger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import { json, sql } from '#database/sql.ts'
import { makeRequest, RequestTimedOut, type OutgoingResponse, type Reach } from './outgoing-request.ts'

export interface NetWorkerOptions extends Reach {
  log: Logger
  /** Requests under way at once. Default 8. */
  concurrency?: number
}

interface QueuedRequest {
  id: string
  method: string
  url: string
  headers: Record<string, string> | null
  body: string | null
  timeout_milliseconds: number
}

const batchSize = 50
/** How long answers are kept, as pg_net has it. */
const keptHours = 6

/** Makes the requests that `net.http_get` and its kin put into the queue, and writes down the answers. */
export class NetWorker {
  readonly #database: Database
  readonly #options: NetWorkerOptions
  #stopListening: (() => Promise<void>) | undefined
  #draining: Promise<void> | undefined
  #again = false
  #stopped = false

  private constructor(database: Database, options: NetWorkerOptions) {
    this.#database = database
    this.#options = options
  }

  /** Starts on what is queued and hears of what comes. */
  static async start(database: Database, options: NetWorkerOptions): Promise<NetWorker> {
    const worker = new NetWorker(database, options)
    worker.#stopListening = await database.listen('portico_net', () => worker.#wake())
    worker.#wake()
    return worker
  }

  /** Takes no more from the queue, and waits for what is under way. */
  async stop(): Promise<void> {
    this.#stopped = true
    await this.#stopListening?.()
    await this.#draining
  }

  #wake(): void {
    this.#again = true
    this.#draining ??= this.#drain().finally(() => { this.#draining = undefined })
  }

  async #drain(): Promise<void> {
    while (this.#again && !this.#stopped) {
      this.#again = false
      try {
        for (let taken = await this.#take(); taken.length > 0; taken = this.#stopped ? [] : await this.#take()) await this.#makeAll(taken)
      } catch (error) {
        this.#options.log.error('the queue of pg_net could not be worked on', { error })
      }
    }
  }

  // A request leaves the queue before it is made: one that ends the process is not made for ever.
  #take(): Promise<QueuedRequest[]> {
    return this.#database.asAdmin('postgres', (tx) => tx.many<QueuedRequest>(sql`
      delete from net.http_request_queue q
      where q.id in (select id from net.http_request_queue order by id limit ${batchSize} for update skip locked)
      returning q.id::text as id, q.method::text as method, q.url,
        (select jsonb_object_agg(key, value) from jsonb_each_text(q.headers) where value is not null) as headers, encode(q.body, 'base64') as body, q.timeout_milliseconds`))
  }

  async #makeAll(requests: readonly QueuedRequest[]): Promise<void> {
    const waiting = [...requests]
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next; next = waiting.shift()) await this.#make(next)
    }
    await Promise.all(Array.from({ length: this.#options.concurrency ?? 8 }, work))
    await this.#database.asAdmin('postgres', (tx) =>
      tx.execute(sql`delete from net._http_response where created < now() - make_interval(hours => ${keptHours})`))
  }

  async #make(queued: QueuedRequest): Promise<void> {
    try {
      const response = await makeRequest({
        method: queued.method.toUpperCase(),
        url: queued.url,
        headers: queued.headers ?? {},
        timeoutMs: queued.timeout_milliseconds,
        ...(queued.body === null ? {} : { body: Buffer.from(queued.body, 'base64') }),
      }, this.#options)
      await this.#noteAnswer(queued.id, response)
    } catch (error) {
      const timedOut = error instanceof RequestTimedOut
      this.#options.log.warn('a request from SQL failed', { requestId: queued.id, host: hostOf(queued.url), timedOut })
      await this.#noteFailure(queued.id, error instanceof Error ? error.message : String(error), timedOut)
    }
  }

  #noteAnswer(id: string, { status, headers, body }: OutgoingResponse): Promise<number> {
    return this.#database.asAdmin('postgres', (tx) => tx.execute(sql`
      insert into net._http_response (id, status_code, content_type, headers, content, timed_out)
      values (${id}::bigint, ${status}, ${headers['content-type'] ?? null}, ${json(headers)}::jsonb, ${body.replaceAll('\0', '')}, false)`))
  }

  #noteFailure(id: string, message: string, timedOut: boolean): Promise<number> {
    return this.#database.asAdmin('postgres', (tx) => tx.execute(sql`
      insert into net._http_response (id, timed_out, error_msg) values (${id}::bigint, ${timedOut}, ${message})`))
  }
}

// The rest of a URL may carry secrets.
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : '')
