import { request as openRequest, type ClientRequest, type IncomingMessage } from 'node:http'
import { ServiceError } from '#contract/service-error.ts'
import type { RequestContext } from '#contract/service.ts'
import { callerGone, readTimedOut } from './errors.ts'
import type { FunctionLimits } from './settings.ts'
import type { Door, FunctionWorker } from './worker.ts'

/** Who asks for what. */
export interface Asking {
  request: Pick<Request, 'headers'>
  context: Pick<RequestContext, 'origin' | 'ip' | 'path' | 'url'>
  /** The `Authorization` the function sees. */
  authorization: string | undefined
}

export interface Forwarding extends Asking {
  request: Request
  worker: FunctionWorker
  door: Door
  limits: FunctionLimits
  /** Called once, when request and answer are over. */
  onClose(): void
}

// What concerns one connection alone.
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'])
const ofBox = /^x-portico-/
// Held of a body in either direction while the other side is slower: the fewer stops, the fewer times three processes wait for each other.
const heldBytes = 256 * 1024
// Largest headers a function may answer with.
const maxHeaderSize = 128 * 1024
const noBody = new Set([204, 205, 304])

// The app shares the box's origin; its session cookies would never reach a hosted function and stay out here.
const withoutSession = (cookies: string): string =>
  cookies.split(';').map((cookie) => cookie.trim()).filter((cookie) => !cookie.startsWith('sb-')).join('; ')

/** Makes the headers a function sees: the caller's, and who the caller is as far as the box knows. */
export function headersFor({ request, context, authorization }: Asking): Record<string, string> {
  const headers: Record<string, string> = {}
  request.headers.forEach((value, name) => {
    if (!ofConnection.has(name) && !ofBox.test(name)) headers[name] = value
  })
  const { cookie, ...rest } = headers
  const kept = cookie === undefined ? '' : withoutSession(cookie)
  const origin = new URL(context.origin)
  return {
    ...rest,
    ...(kept === '' ? {} : { cookie: kept }),
    ...(authorization === undefined ? {} : { authorization }),
    host: headers.host ?? origin.host,
    'x-forwarded-for': context.ip,
    'x-real-ip': context.ip,
    'x-forwarded-host': origin.hostname,
    'x-forwarded-port': origin.port || (origin.protocol === 'https:' ? '443' : '80'),
    'x-forwarded-proto': origin.protocol.slice(0, -1),
    'x-portico-url': `${context.origin}${context.path}${context.url.search}`,
  }
}

// That a GET has no body is known without asking for it, which is dear.
const hasBody = (request: Request): boolean => request.method !== 'GET' && request.method !== 'HEAD' && request.body !== null

// A length without its body would have the worker take the next caller's request for it; a body without its length would be taken for
// the next request, since Node frames those of DELETE and OPTIONS by nothing.
function withTrueLength(headers: Record<string, string>, request: Request): Record<string, string> {
  if (hasBody(request)) return 'content-length' in headers ? headers : { ...headers, 'transfer-encoding': 'chunked' }
  const { 'content-length': _length, ...rest } = headers
  return rest
}

function untilDrained(asked: ClientRequest): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      asked.off('drain', go).off('close', go)
      resolve()
    }
    asked.on('drain', go).on('close', go)
  })
}

async function sendBody(request: Request, asked: ClientRequest): Promise<void> {
  if (!hasBody(request) || request.body === null) {
    asked.end()
    return
  }
  const reader = request.body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done || asked.destroyed) break
      if (!asked.write(value) && asked.writableLength > heldBytes) await untilDrained(asked)
    }
    asked.end()
  } finally {
    // What the function did not want to read is not read.
    await reader.cancel().catch(() => undefined)
  }
}

// Reads only as fast as the client does.
function bodyOf(answer: IncomingMessage): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start(controller) {
      let isOver = false
      const end = (finish: () => void) => () => {
        if (!isOver) finish()
        isOver = true
      }
      answer.on('data', (chunk: Buffer) => {
        if (isOver) return
        controller.enqueue(new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength))
        if ((controller.desiredSize ?? 0) <= 0) answer.pause()
      })
      answer.on('end', end(() => controller.close()))
      answer.on('error', end(() => controller.error(new Error('The function ended in the middle of its answer'))))
      answer.on('close', end(() => controller.error(new Error('The function ended in the middle of its answer'))))
      answer.pause()
    },
    pull() {
      answer.resume()
    },
    cancel() {
      answer.destroy()
    },
  }, { highWaterMark: heldBytes, size: (chunk) => chunk?.byteLength ?? 0 })
}

// Small answers go on in one piece.
const smallAnswer = 16 * 1024

function readSmall(answer: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => void chunks.push(chunk))
    answer.once('end', () => resolve(new Uint8Array(Buffer.concat(chunks))))
    // After its end this says nothing new.
    answer.once('close', () => reject(new Error('The function ended in the middle of its answer')))
    answer.on('error', reject)
  })
}

async function readBody(answer: IncomingMessage, method: string): Promise<BodyInit | null> {
  const length = answer.headers['content-length']
  if (method !== 'HEAD' && !noBody.has(answer.statusCode ?? 0) && length !== '0') return Number(length ?? Infinity) <= smallAnswer ? readSmall(answer) : bodyOf(answer)
  answer.resume()
  return null
}

const isPassive = (type: string): boolean => /^(image\/(?!svg)|audio\/|video\/|application\/pdf)/i.test(type)

// A page that a function answers with may run, and yet is a stranger to the app, whose origin it comes from: no session, no storage.
function keepApart(headers: Headers): void {
  headers.set('x-content-type-options', 'nosniff')
  if (!isPassive(headers.get('content-type') ?? '')) headers.append('content-security-policy', 'sandbox allow-downloads allow-forms allow-modals allow-popups allow-scripts')
}

async function toResponse(answer: IncomingMessage, method: string): Promise<Response> {
  const body = await readBody(answer, method)
  const headers = new Headers()
  const { rawHeaders } = answer
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase()
    if (!ofConnection.has(name) && name !== 'date') headers.append(name, rawHeaders[at + 1] ?? '')
  }
  keepApart(headers)
  const { statusCode: status = 500, statusMessage: statusText = '' } = answer
  return new Response(body, { status, statusText, headers })
}

/**
 * Hands a request to a worker and its answer back, both as they come. When the caller goes, the function's request is aborted.
 *
 * @throws 504 `IDLE_TIMEOUT` when the function is silent for too long; what the worker ended of, when it ends first.
 */
export function forward({ request, context, authorization, worker, door, limits, onClose }: Forwarding): Promise<Response> {
  const { host, port, secret, agent } = door
  return new Promise((resolve, reject) => {
    const asked = openRequest({
      host,
      port,
      agent,
      maxHeaderSize,
      method: request.method,
      path: '/',
      headers: { ...withTrueLength(headersFor({ request, context, authorization }), request), 'x-portico-worker': secret },
    })
    const leave = () => {
      reject(callerGone())
      asked.destroy()
    }
    request.signal.addEventListener('abort', leave)
    if (request.signal.aborted) leave()
    asked.setTimeout(limits.readMs, () => {
      reject(readTimedOut(limits.readMs / 1000))
      asked.destroy()
    })
    // The reason is the worker's when the worker has gone: its end is known a moment after its connections'.
    const fail = () => void worker.settle().then(() => reject(worker.failure()))
    asked.once('response', (answer) => void toResponse(answer, request.method).then(resolve, fail))
    asked.once('error', fail)
    asked.once('close', () => {
      request.signal.removeEventListener('abort', leave)
      onClose()
    })
    sendBody(request, asked).catch((error: unknown) => {
      // Too large, or cut off by the caller.
      reject(error instanceof ServiceError ? error : callerGone())
      asked.destroy()
    })
  })
}
