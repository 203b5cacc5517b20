import type { RequestContext, Service } from '#contract/service.ts'
import { ServiceError } from '#contract/service-error.ts'
import { sendBatch, sendSingle } from './broadcast-api.ts'
import { noSuchRoute, unauthorized, upgradeRequired } from './errors.ts'
import { Home, type HomeDeps } from './home.ts'
import { Sockets } from './sockets.ts'
import { judgeToken } from './tokens.ts'

export type RealtimeDeps = HomeDeps

/** Channels over WebSockets, and broadcasts over HTTP. Listens to the database from its first use on, until `close`. */
export interface RealtimeService extends Service {
  close(): Promise<void>
}

const single = /^\/api\/broadcast\/([^/]+)\/events\/([^/]+)$/

// The gateway counts who sends no key at all as `anon`; here that is not enough.
function checkCaller({ headers }: Request, { caller, token, tokenFault }: RequestContext, nowMs: number): void {
  if (tokenFault !== undefined) throw unauthorized()
  if (token !== undefined && 'refusal' in judgeToken({ role: caller.role, claims: caller.claims, isKey: false }, token, nowMs)) throw unauthorized()
  if (!headers.get('authorization') && !headers.get('apikey')) throw unauthorized()
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw noSuchRoute()
  }
}

async function answer(home: Home, request: Request, context: RequestContext): Promise<Response> {
  const { path } = context
  if (path === '/websocket') throw upgradeRequired()
  const found = single.exec(path)
  if (request.method !== 'POST' || (path !== '/api/broadcast' && !found)) throw noSuchRoute()
  checkCaller(request, context, home.deps.clock.now())
  if (!found) return sendBatch(home, request, context)
  const [topic, event] = found.slice(1).map(decodePart)
  return sendSingle(home, { topic: topic ?? '', event: event ?? '' }, { request, context })
}

function render(error: unknown): Response {
  if (!(error instanceof ServiceError)) return Response.json({ message: 'Internal Server Error' }, { status: 500 })
  const { status, message, extra, headers } = error
  return Response.json(Object.keys(extra).length > 0 ? extra : { message }, { status, headers })
}

/**
 * Builds Realtime: channels with broadcast, presence and the database's changes.
 *
 * @see https://github.com/supabase/realtime
 */
export function createRealtimeService(deps: RealtimeDeps): RealtimeService {
  const home = new Home(deps)
  const sockets = new Sockets(home)
  return {
    handle: (request, context) => answer(home, request, context),
    renderError: render,
    upgrade: (upgrade, context) => (context.path === '/websocket' ? sockets.accept(upgrade, context) : Promise.resolve(notHere(upgrade))),
    endUpgraded: () => {
      home.isEnding = true
      return sockets.close()
    },
    async close() {
      home.isEnding = true
      await sockets.close()
      await home.stop()
    },
  }
}

function notHere({ socket }: Parameters<NonNullable<Service['upgrade']>>[0]): number {
  socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  return 404
}
