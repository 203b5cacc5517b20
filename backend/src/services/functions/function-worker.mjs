// What runs in Deno before a function does. Plain JavaScript and one file, so that it runs from the sources and beside a bundle alike.
// It shows the function what the hosted runtime shows, listens, and lets nobody in but the box.

/**
 * @typedef {{ secret: string, mark: string }} Setup
 * @typedef {(request: Request, info: unknown) => Response | Promise<Response>} Handler
 */

const { serve, stdin, stdout, exit, upgradeWebSocket, inspect } = Deno

function readLine() {
  const chunk = new Uint8Array(64 * 1024)
  const decoder = new TextDecoder()
  let text = ''
  while (!text.includes('\n')) {
    const length = stdin.readSync(chunk)
    if (length === null) break
    text += decoder.decode(chunk.subarray(0, length), { stream: true })
  }
  return text
}

const setup = /** @type {Setup} */ (JSON.parse(readLine()))

const encoder = new TextEncoder()

function tell(/** @type {Record<string, unknown>} */ message) {
  const bytes = encoder.encode(`${setup.mark}${JSON.stringify(message)}\n`)
  for (let at = 0; at < bytes.length;) at += stdout.writeSync(bytes.subarray(at))
}

// A message keeps its level and its lines. What console itself makes of its arguments is what is said.
const longestMessage = 10_000
const inspectArgs = Deno[Deno.internal]?.inspectArgs ?? ((/** @type {unknown[]} */ args) => args.map((arg) => (typeof arg === 'string' ? arg : inspect(arg))).join(' '))
const say = (/** @type {string} */ level) => (/** @type {unknown[]} */ ...args) => {
  const text = String(inspectArgs(args, { colors: false }))
  tell({ level, text: text.length > longestMessage ? `${text.slice(0, longestMessage)} …` : text })
}
const complain = say('error')
Object.assign(console, { debug: say('debug'), log: say('info'), info: say('info'), warn: say('warn'), error: complain })

// When the box has gone, nobody calls any more and nobody ends this process.
const box = Deno.ppid
Deno.unrefTimer(setInterval(() => {
  if (Deno.ppid !== box) exit(1)
}, 1000))

// What the hosted runtime does not have, or answers with nothing.
delete globalThis.Worker
for (const name of ['exit', 'kill', 'addSignalListener', 'removeSignalListener']) Deno[name] = () => undefined
globalThis.Supabase = {
  ai: {
    Session: function Session() {
      throw new Error('Supabase.ai is not part of this backend')
    },
  },
}

let background = 0
function countBackground(/** @type {1 | -1} */ change) {
  const before = background
  background += change
  // Only whether there is any is asked.
  if (before === 0 || background === 0) tell({ background })
}
globalThis.EdgeRuntime = {
  waitUntil(/** @type {Promise<unknown>} */ work) {
    countBackground(1)
    Promise.resolve(work).catch((error) => complain('background task failed', error)).finally(() => countBackground(-1))
    return work
  },
}

/** @type {WeakMap<Request, Request>} */
const arrived = new WeakMap()
Deno.upgradeWebSocket = (request, options) => upgradeWebSocket(arrived.get(request) ?? request, options)

function isFromBox(/** @type {string | null} */ given) {
  if (given === null || given.length !== setup.secret.length) return false
  let difference = 0
  for (let at = 0; at < given.length; at += 1) difference |= given.charCodeAt(at) ^ setup.secret.charCodeAt(at)
  return difference === 0
}

// The address the caller used, without what only the box and this file say to each other.
function asCalled(/** @type {Request} */ request) {
  const headers = new Headers(request.headers)
  const url = headers.get('x-portico-url') ?? request.url
  for (const name of ['x-portico-url', 'x-portico-worker', 'x-portico-unload']) headers.delete(name)
  const { method, body, signal } = request
  const called = new Request(url, { method, headers, signal, redirect: 'manual', ...(body === null ? {} : { body, duplex: 'half' }) })
  arrived.set(called, request)
  return called
}

/** @type {Handler | undefined} */
let handler
/** @type {((error: unknown) => Response | Promise<Response>) | undefined} */
let onError

async function answer(/** @type {Request} */ request, /** @type {Record<string, unknown>} */ info) {
  if (!isFromBox(request.headers.get('x-portico-worker'))) return new Response(null, { status: 403 })
  const reason = request.headers.get('x-portico-unload')
  if (reason !== null) {
    globalThis.dispatchEvent(new CustomEvent('beforeunload', { cancelable: true, detail: { reason } }))
    return new Response(null, { status: 204 })
  }
  try {
    const called = asCalled(request)
    const remoteAddr = { transport: 'tcp', hostname: called.headers.get('x-real-ip') ?? '127.0.0.1', port: 0 }
    const response = await handler?.(called, { remoteAddr, completed: info.completed })
    if (!(response instanceof Response)) throw new TypeError('A function must answer with a Response.')
    return response
  } catch (error) {
    if (onError) return onError(error)
    complain(error)
    return new Response('Internal Server Error', { status: 500 })
  }
}

/** @type {Deno.HttpServer | undefined} */
let server

/** Takes the function's handler; a later one takes the place of an earlier. */
function listen(/** @type {Handler} */ given, /** @type {Record<string, any>} */ options = {}) {
  handler = given
  onError = options.onError
  const onListen = ({ port = 0 }) => {
    options.onListen?.({ transport: 'tcp', hostname: '0.0.0.0', port: 8000 })
    tell({ ready: true, port })
  }
  // Any free port of this machine alone. Over a Unix socket, Deno 2.9 cuts off bodies that go both ways at once.
  server ??= serve({ hostname: '127.0.0.1', port: 0, onListen, handler: answer })
  return server
}

Deno.serve = (first, second) => {
  if (typeof first === 'function') return listen(first)
  return listen(second ?? first.handler, first)
}

// The older way, `Deno.listen` and `Deno.serveHttp`, in which early releases of the standard library serve.
const tcp = { transport: 'tcp', hostname: '0.0.0.0', port: 8000 }
/** @type {{ request: Request, respondWith(response: Response | Promise<Response>): Promise<void> }[]} */
const events = []
/** @type {(() => void)[]} */
const waiting = []
const never = new Promise(() => undefined)

function queueEvent(/** @type {Request} */ request) {
  return new Promise((resolve, reject) => {
    events.push({ request, respondWith: async (response) => Promise.resolve(response).then(resolve, reject) })
    waiting.shift()?.()
  })
}

Deno.listen = () => {
  const connection = { rid: 0, localAddr: tcp, remoteAddr: tcp, close() {} }
  let isTaken = false
  const accept = async () => {
    if (isTaken) return never
    isTaken = true
    return connection
  }
  return {
    rid: 0, addr: tcp, accept, close() {}, ref() {}, unref() {},
    async *[Symbol.asyncIterator]() {
      yield await accept()
      await never
    },
  }
}

Deno.serveHttp = () => {
  listen(queueEvent)
  const nextRequest = async () => {
    if (events.length === 0) await new Promise((/** @type {(value?: undefined) => void} */ resolve) => waiting.push(resolve))
    return events.shift() ?? null
  }
  return {
    rid: 0, nextRequest, close() {},
    async *[Symbol.asyncIterator]() {
      for (;;) yield await nextRequest()
    },
  }
}

// `export default { fetch }` is served too.
globalThis.addEventListener('load', async () => {
  if (handler) return
  const main = await import(Deno.mainModule)
  if (typeof main.default?.fetch === 'function') listen((request) => main.default.fetch(request))
})
