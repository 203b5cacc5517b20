import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { getRequestListener } from '@hono/node-server'
import { watchBodyPace, type BodyPace } from './body-pace.ts'
import type { Gateway } from './gateway.ts'

export interface PortOptions {
  host: string
  /** Tried in this order until one is free; 0 is any free one. */
  ports: readonly number[]
  /** How slowly a body may come. */
  bodyPace?: BodyPace
}

/** A port that is taken and answers 503 until a gateway is put behind it. */
export interface OpenPort {
  port: number
  serve(gateway: Gateway): void
  /** Takes no more connections, lets running requests end, cuts what is left after `graceMs` (default 3000). */
  close(graceMs?: number): Promise<void>
}

// A session of 30 kB travels in cookies to the app on the same origin, and twice that in two projects.
const maxHeaderSize = 128 * 1024

const limits = {
  // Time to send all headers; a client that drips them holds a socket for no longer.
  headersTimeout: 20_000,
  // A large upload takes as long as it takes; one that hardly moves is ended by `watchBodyPace`.
  requestTimeout: 0,
  keepAliveTimeout: 65_000,
} as const

const lingerMs = 5_000

interface Bindings {
  incoming: IncomingMessage
  outgoing: ServerResponse
}

const bind = (server: Server, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    // Each port that is tried leaves nothing behind.
    const settle = (done: () => void) => {
      server.off('error', fail)
      server.off('listening', succeed)
      done()
    }
    const fail = (error: Error) => settle(() => reject(error))
    const succeed = () => settle(resolve)
    server.once('error', fail)
    server.once('listening', succeed)
    server.listen(port, host)
  })

async function bindFirstFree(server: Server, { host, ports }: PortOptions): Promise<void> {
  for (const [index, port] of ports.entries()) {
    try {
      await bind(server, host, port)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE' || index === ports.length - 1) throw error
    }
  }
}

function close(server: Server, upgraded: ReadonlySet<Duplex>, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => {
      server.closeAllConnections()
      // The server forgets a connection once it is upgraded, and still waits for it.
      for (const socket of upgraded) socket.destroy()
    }, graceMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}

// Once we have ended a connection nobody reads it any more, so its client's end is not heard: without this it might stay for ever.
function cutLater(socket: Duplex): void {
  const cut = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(cut))
}

// Hands over connections that ask for an upgrade; gives those that are open.
function takeUpgrades(server: Server, current: () => Gateway): ReadonlySet<Duplex> {
  const upgraded = new Set<Duplex>()
  server.on('upgrade', (request, socket, head) => {
    // A client that goes away in the middle is no fault of ours.
    socket.on('error', () => socket.destroy())
    upgraded.add(socket)
    socket.once('close', () => upgraded.delete(socket))
    socket.once('finish', () => cutLater(socket))
    const gateway = current()
    if (gateway.upgrade) void gateway.upgrade({ request, socket, head }, { ip: request.socket.remoteAddress ?? '' })
    else socket.end('HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\nretry-after: 1\r\ncontent-length: 0\r\n\r\n')
  })
  return upgraded
}

// The official client of resumable uploads takes any other refusal for the end of its upload, and begins from nothing; 423 it asks again.
const startingStatus = ({ headers }: Request): number => (headers.has('tus-resumable') ? 423 : 503)

const starting: Gateway = {
  fetch: async (request) =>
    Response.json({ status: 'starting', name: 'portico' }, { status: startingStatus(request), headers: { 'retry-after': '1', 'cache-control': 'no-store' } }),
}

/**
 * Takes a port at once, so that its number is known while the rest is still being built.
 *
 * @throws the socket's own error: `EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`.
 */
export async function openPort(options: PortOptions): Promise<OpenPort> {
  let gateway = starting
  const listener = getRequestListener(
    (request, bindings) => {
      // A plain HTTP/1 server hands over nothing else.
      const { incoming, outgoing } = bindings as Bindings
      const setHeader = (name: string, value: string) => void outgoing.setHeader(name, value)
      return gateway.fetch(request, { ip: incoming.socket.remoteAddress ?? '', setHeader })
    },
    { hostname: options.host },
  )
  const server = createServer({ maxHeaderSize, ...limits }, (incoming, outgoing) => void listener(incoming, outgoing))
  const upgraded = takeUpgrades(server, () => gateway)
  const endWatch = watchBodyPace(server, options.bodyPace)
  await bindFirstFree(server, options)
  const { port } = server.address() as AddressInfo
  return {
    port,
    serve: (ready) => {
      gateway = ready
    },
    close: (graceMs = 3000) => {
      endWatch()
      const closed = close(server, upgraded, graceMs)
      void gateway.endUpgraded?.().catch(() => undefined)
      return closed
    },
  }
}
