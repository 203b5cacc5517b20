import type { NoAnswer } from '#api/function-call.ts'
import { EventStream, type StreamEvent } from './event-stream.ts'

/** How a reply is best shown. */
export type ReplyKind = 'json' | 'text' | 'events' | 'image' | 'binary'

/** What is known once the first bytes are there. */
export interface ReplyHead {
  status: number
  statusText: string
  headers: readonly (readonly [name: string, value: string])[]
  contentType: string
  kind: ReplyKind
  /** The answer bears the mark of the relay before the function, not of the function. */
  isRelay: boolean
  /** Milliseconds from sending to the first byte. */
  firstByteMs: number
  /** Where a redirect led to; empty when there was none. */
  redirectedTo: string
}

export interface ReplyBody {
  sizeBytes: number
  /** What has come so far, when it is text; of a very long one the beginning. */
  text: string
  isCut: boolean
  events: readonly StreamEvent[]
  /** Everything, for a download or a picture; there once the reply is whole. */
  blob: Blob | undefined
}

/** The course of one call. */
export type Reply =
  | { step: 'idle' }
  | { step: 'waiting'; startedAt: number }
  | { step: 'receiving'; head: ReplyHead; body: ReplyBody }
  /** `end`: whole, stopped by the person, broken off on the way, or too much to keep. */
  | { step: 'done'; head: ReplyHead; body: ReplyBody; end: 'whole' | 'stopped' | 'broken' | 'too-large'; totalMs: number }
  | { step: 'unanswered'; why: NoAnswer; afterMs: number }
  | { step: 'refused'; error: unknown }

/** Text beyond this is not shown, only downloaded. */
export const mostTextBytes = 4_000_000
/** A reply beyond this is not kept: reading stops. */
export const mostBytes = 200_000_000
const eventsKept = 2000

const essence = (contentType: string): string => (contentType.split(';')[0] ?? '').trim().toLowerCase()

export function kindOf(contentType: string): ReplyKind {
  const type = essence(contentType)
  if (type === 'text/event-stream') return 'events'
  if (type === 'application/json' || type.endsWith('+json')) return 'json'
  if (/^image\/(png|jpe?g|gif|webp|avif|bmp|svg\+xml|x-icon|vnd\.microsoft\.icon)$/.test(type)) return 'image'
  return type === '' || type.startsWith('text/') || /[/+](xml|javascript|x-ndjson|yaml|x-www-form-urlencoded|csv|graphql|toml|sql)$/.test(type) ? 'text' : 'binary'
}

export function readHead(response: Response, firstByteMs: number): ReplyHead {
  const contentType = response.headers.get('content-type') ?? ''
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers].sort(([one], [other]) => one.localeCompare(other)),
    contentType,
    kind: kindOf(contentType),
    isRelay: response.headers.get('x-relay-error') === 'true',
    firstByteMs,
    redirectedTo: response.redirected ? response.url : '',
  }
}

/**
 * Reads a body as it comes and tells of it at most once a frame.
 *
 * @param elapsed milliseconds since the request was sent
 * @throws whatever the stream breaks with; what came before it has been told
 */
export async function readBody(response: Response, kind: ReplyKind, { elapsed, onProgress }: { elapsed: () => number; onProgress: (body: ReplyBody) => void }): Promise<{ body: ReplyBody; isTooLarge: boolean }> {
  const gathering = new Gathering(kind, response.headers.get('content-type') ?? '')
  const reader = response.body?.getReader()
  let shownAt = -Infinity
  try {
    for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
      gathering.add(part.value, elapsed())
      if (gathering.sizeBytes > mostBytes) {
        void reader?.cancel()
        return { body: gathering.body(false), isTooLarge: true }
      }
      if (performance.now() - shownAt < 50) continue
      shownAt = performance.now()
      onProgress(gathering.body(false))
    }
  } catch (error) {
    onProgress(gathering.body(false))
    throw error
  }
  gathering.end(elapsed())
  return { body: gathering.body(true), isTooLarge: false }
}

class Gathering {
  sizeBytes = 0
  readonly #kind: ReplyKind
  readonly #type: string
  readonly #chunks: Uint8Array<ArrayBuffer>[] = []
  readonly #decoder: TextDecoder
  readonly #stream = new EventStream()
  #text = ''
  #textBytes = 0
  #events: readonly StreamEvent[] = []

  constructor(kind: ReplyKind, type: string) {
    this.#kind = kind
    this.#type = type
    this.#decoder = decoderOf(type)
  }

  add(chunk: Uint8Array, atMs: number) {
    this.sizeBytes += chunk.byteLength
    this.#chunks.push(chunk as Uint8Array<ArrayBuffer>)
    if (this.#kind === 'image' || this.#kind === 'binary' || this.#textBytes > mostTextBytes) return
    this.#textBytes += chunk.byteLength
    this.#take(this.#decoder.decode(chunk, { stream: true }), atMs)
  }

  end(atMs: number) {
    if (this.#textBytes > 0) this.#take(this.#decoder.decode(), atMs)
  }

  #take(text: string, atMs: number) {
    this.#text += text
    if (this.#kind === 'events') this.#events = [...this.#events, ...this.#stream.read(text, atMs)].slice(-eventsKept)
  }

  body(isWhole: boolean): ReplyBody {
    return {
      sizeBytes: this.sizeBytes,
      text: this.#text,
      isCut: this.#textBytes < this.sizeBytes && this.#kind !== 'image' && this.#kind !== 'binary',
      events: this.#events,
      blob: isWhole ? new Blob(this.#chunks, { type: essence(this.#type) }) : undefined,
    }
  }
}

function decoderOf(contentType: string): TextDecoder {
  try {
    return new TextDecoder(/charset="?([^";\s]+)/i.exec(contentType)?.[1] ?? 'utf-8')
  } catch {
    return new TextDecoder()
  }
}

/** A name to save a reply under: the one it gives itself, else the function's with an ending that fits. */
export function fileNameOf({ headers, contentType }: ReplyHead, functionName: string): string {
  const disposition = headers.find(([name]) => name === 'content-disposition')?.[1] ?? ''
  const own = /filename="([^"]+)"|filename=([^;\s]+)/.exec(disposition)
  const given = (own?.[1] ?? own?.[2] ?? '').replaceAll(/[/\\:*?"<>|\p{Cc}]/gu, '')
  const ending = /[/+]([a-z0-9]+)$/.exec(essence(contentType))?.[1] ?? 'bin'
  const short: Readonly<Record<string, string>> = { plain: 'txt', jpeg: 'jpg', stream: 'txt', javascript: 'js', markdown: 'md' }
  return given || `${functionName}.${essence(contentType).endsWith('octet-stream') ? 'bin' : (short[ending] ?? ending)}`
}
