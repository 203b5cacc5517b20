import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Caller } from '#contract/caller.ts'
import { systemClock } from '#contract/clock.ts'
import { silentLogger } from '#contract/logger.ts'
import type { RequestContext } from '#contract/service.ts'
import type { Database } from '#database/database.ts'
import { createRestService, type RestService } from './service.ts'
import { defaultRestSettings, type RestSettings } from './settings.ts'

/** The data API for tests: the service itself, and the official client in front of it, with no port between. */
export interface TestApi {
  service: RestService
  /** The official client, as a caller. */
  as(claims: Caller['claims'] & { role: string }): SupabaseClient
  send(path: string, init?: RequestInit & { context?: Partial<RequestContext> }): Promise<Response>
}

const origin = 'http://rest.test'

export async function openTestApi(database: Database, settings: Partial<RestSettings> = {}): Promise<TestApi> {
  const service = createRestService({ database, logger: silentLogger, clock: systemClock, settings: { ...defaultRestSettings, schemas: ['public'], ...settings } })
  await service.start()

  async function answer(request: Request, given: Partial<RequestContext> = {}): Promise<Response> {
    const url = new URL(request.url)
    const path = url.pathname.replace(/^\/rest\/v1/, '') || '/'
    const caller: Caller = { role: 'anon', claims: { role: 'anon' }, request: { method: request.method, path, headers: Object.fromEntries(request.headers), cookies: {} } }
    const context: RequestContext = { requestId: 'test', caller, ip: '127.0.0.1', origin, path, url, log: silentLogger, ...given }
    return service.handle(request, context).catch((error: unknown) => service.renderError(error, request, context))
  }

  return {
    service,
    as: (claims) =>
      createClient(origin, 'key', {
        auth: { persistSession: false, autoRefreshToken: false },
        global: { fetch: (input, init) => answer(new Request(input, init), { caller: { role: claims.role, claims } }) },
        // The realtime client wants a WebSocket, which this Node has none of; nothing here opens one.
        realtime: { transport: (() => undefined) as never },
      }),
    send: (path, { context, ...init } = {}) => answer(new Request(`${origin}/rest/v1${path}`, init), context),
  }
}
