import { ServiceError } from '#contract/service-error.ts'
import type { RequestContext, Service } from '#contract/service.ts'
import { sweep } from './discarded-bytes.ts'
import type { StorageParts } from './parts.ts'
import { createProtocols, type StorageProtocol } from './protocols.ts'
import { renderFailure } from './render-failure.ts'
import { createRoutes } from './routes.ts'

/** The storage API. `start` cleans up after an earlier process and goes on doing so; `close` ends that and lets go of the bytes. */
export interface StorageService extends Service {
  start(): Promise<void>
  close(): Promise<void>
}

const hourMs = 60 * 60_000
const firstCleaningMs = 10_000

async function tryProtocols(protocols: readonly StorageProtocol[], request: Request, context: RequestContext): Promise<Response | undefined> {
  for (const protocol of protocols) {
    const answer = await protocol.answer(request, context)
    if (answer) return answer
  }
  return undefined
}

/**
 * Builds the storage API: buckets and files under the caller's policies.
 *
 * @see https://supabase.com/docs/reference/self-hosting-storage/introduction
 */
export function createStorageService(parts: StorageParts): StorageService {
  const protocols = createProtocols(parts)
  const answer = createRoutes(parts)
  let timers: NodeJS.Timeout[] = []
  let cleaning: Promise<unknown> = Promise.resolve()
  const forget = () => Promise.all(protocols.map((protocol) => protocol.cleanUp()))
  const cleanUp = () =>
    Promise.all([sweep(parts, hourMs), forget()]).catch((error: unknown) => parts.logger.warn('storage could not be cleaned up', { error }))
  return {
    handle: async (request, context) => (await tryProtocols(protocols, request, context)) ?? answer(request, context),
    renderError(error, _request, context) {
      // Told to nobody but the operator; the gateway notes only what nobody expected.
      if (error instanceof ServiceError && error.status >= 500) context.log.error('storage request failed', { error })
      return renderFailure(error)
    },
    async start() {
      // One process has the folder: whatever is half-written now, nobody finishes.
      await parts.bytes.removeAbandoned(0)
      const clean = () => {
        cleaning = cleanUp()
      }
      // Soon, for boxes that never run for an hour, but behind all that is done at a start.
      timers = [setTimeout(clean, firstCleaningMs).unref(), setInterval(clean, hourMs).unref()]
    },
    async close() {
      for (const timer of timers) clearTimeout(timer)
      await cleaning
      await parts.bytes.close()
    },
  }
}
