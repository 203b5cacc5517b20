import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EdgeFunction } from './catalog.ts'
import { makeEnvironment } from './environment.ts'
import { forward, type Forwarding } from './forward.ts'
import type { FunctionLog } from './function-log.ts'
import type { FunctionsDeps } from './service.ts'
import { Workers } from './workers.ts'

export interface Call extends Pick<Forwarding, 'request' | 'context' | 'authorization'> {
  edgeFunction: EdgeFunction
}

/** What runs functions: made at the first call of any. */
export interface Runtime {
  call(call: Call): Promise<Response>
  close(): Promise<void>
}

/** Makes the runtime of a project's functions. */
export function createRuntime(deps: FunctionsDeps, denoPath: string, log: FunctionLog): Runtime {
  const { settings } = deps
  const { limits, supabaseFolder = '' } = settings
  const cacheFolder = deps.cacheFolder ?? mkdtempSync(join(tmpdir(), 'portico-modules-'))
  const workers = new Workers({
    settings,
    optionsFor: (edgeFunction) => ({
      edgeFunction,
      environment: makeEnvironment(deps, edgeFunction),
      limits,
      supabaseFolder,
      cacheFolder,
      denoPath,
      denoEnvironment: deps.denoEnvironment,
      say: (level, message) => log.write({ function: edgeFunction.name, level, message }),
    }),
  })
  return {
    async call({ edgeFunction, ...rest }) {
      const worker = workers.get(edgeFunction)
      worker.begin()
      try {
        const door = await worker.ready
        return await forward({ ...rest, worker, door, limits, onClose: () => worker.finish() })
      } catch (error) {
        // A worker that never listened had no request to close.
        if (!worker.isReady) worker.finish()
        throw error
      }
    },
    async close() {
      await workers.close()
      if (deps.cacheFolder === undefined) rmSync(cacheFolder, { recursive: true, force: true })
    },
  }
}
