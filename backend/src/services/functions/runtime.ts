import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Upgrade } from '#contract/service.ts'
import { functionsFolder, type EdgeFunction } from './catalog.ts'
import { makeEnvironment } from './environment.ts'
import { bootFailed } from './errors.ts'
import { findEscape, inProject } from './escapes.ts'
import { forward, type Asking, type Forwarding } from './forward.ts'
import type { FunctionLog } from './function-log.ts'
import type { FunctionsDeps } from './service.ts'
import type { Door, FunctionWorker } from './worker.ts'
import { forwardSocket } from './forward-socket.ts'
import { Workers } from './workers.ts'

export interface Call extends Pick<Forwarding, 'request' | 'context' | 'authorization'> {
  edgeFunction: EdgeFunction
}

export interface SocketCall extends Asking {
  edgeFunction: EdgeFunction
  upgrade: Upgrade
}

/** What runs functions: made at the first call of any. */
export interface Runtime {
  call(call: Call): Promise<Response>
  /** @returns the status that was answered. */
  connect(call: SocketCall): Promise<number>
  close(): Promise<void>
}

/** Makes the runtime of a project's functions. */
export function createRuntime(deps: FunctionsDeps, denoPath: string, log: FunctionLog): Runtime {
  const { settings } = deps
  const { limits, supabaseFolder = '' } = settings
  const cacheFolder = deps.cacheFolder ?? mkdtempSync(join(tmpdir(), 'portico-modules-'))
  // Looked at for each start: what is changed there starts a worker anew.
  function refuseEscapes({ name, staticFolders }: EdgeFunction): void {
    const root = dirname(supabaseFolder)
    const keptFolder = deps.cacheFolder === undefined ? undefined : dirname(dirname(deps.cacheFolder))
    const escape = [functionsFolder(supabaseFolder), ...staticFolders].map((folder) => findEscape(folder, root, keptFolder)).find((path) => path !== undefined)
    if (escape === undefined) return
    log.write({ function: name, level: 'error', message: `did not boot: the link ${inProject(escape, supabaseFolder)} leads out of the project` })
    throw bootFailed()
  }

  const workers = new Workers({
    settings,
    optionsFor: (edgeFunction) => {
      refuseEscapes(edgeFunction)
      return {
        edgeFunction,
        environment: makeEnvironment(deps, edgeFunction),
        limits,
        supabaseFolder,
        cacheFolder,
        denoPath,
        denoEnvironment: deps.denoEnvironment,
        say: (level, message) => log.write({ function: edgeFunction.name, level, message }),
      }
    },
  })

  async function withWorker<T>(edgeFunction: EdgeFunction, use: (worker: FunctionWorker, door: Door) => Promise<T>): Promise<T> {
    const worker = workers.get(edgeFunction)
    worker.begin()
    try {
      return await use(worker, await worker.ready)
    } catch (error) {
      // A worker that never listened had no request to close.
      if (!worker.isReady) worker.finish()
      throw error
    }
  }

  return {
    call: ({ edgeFunction, ...rest }) =>
      withWorker(edgeFunction, (worker, door) => forward({ ...rest, worker, door, limits, onClose: () => worker.finish() })),
    connect: ({ edgeFunction, ...rest }) =>
      withWorker(edgeFunction, (worker, door) => forwardSocket({ ...rest, worker, door, onClose: () => worker.finish() })),
    async close() {
      await workers.close()
      if (deps.cacheFolder === undefined) rmSync(cacheFolder, { recursive: true, force: true })
    },
  }
}
