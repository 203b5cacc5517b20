import type { Clock } from '#contract/clock.ts'
import { isServiceRole } from '#contract/caller.ts'
import type { ProjectKeys } from '#contract/keys.ts'
import type { Logger } from '#contract/logger.ts'
import type { RequestContext, Service, TokenVerdict, Upgrade, UpgradeContext } from '#contract/service.ts'
import { authorizationOf, requireToken } from './authorize.ts'
import { createFinder, listFunctionNames } from './catalog.ts'
import type { DenoPlace } from './deno.ts'
import type { EnvironmentDeps } from './environment.ts'
import { functionNotFound, logsForbidden, logsNotUnderstood, noRuntime, renderFailure } from './errors.ts'
import { readHeaders, refuse } from './refuse-socket.ts'
import { createFunctionLog, type FunctionLog } from './function-log.ts'
import type { Runtime } from './runtime.ts'
import type { FunctionsSettings } from './settings.ts'

export interface FunctionsDeps {
  settings: FunctionsSettings
  keys: ProjectKeys
  logger: Logger
  clock: Clock
  /** Where functions reach the box: `http://127.0.0.1:54321`. */
  origin: string
  /** Given to functions as `SUPABASE_DB_URL`. */
  databaseUrl?: string
  /** Absolute: where downloaded modules are kept. Left out: they are forgotten at the end. */
  cacheFolder?: string
  deno: DenoPlace
  /** How Deno reaches registries: proxies, certificates, the registry's address. Functions do not see it. */
  denoEnvironment: Readonly<Record<string, string>>
  parseDotenv: EnvironmentDeps['parseDotenv']
}

export interface FunctionsService extends Service {
  /** Names of the functions that can be called, in order. */
  listNames(): readonly string[]
  /** What keeps functions from running, in a sentence each; empty when all is well or there are none. */
  warnings: readonly string[]
  /** Ends every worker. */
  close(): Promise<void>
}

// A WebSocket's frame that closes it with 1001: the server goes.
const goingAway = Buffer.from([0x88, 0x02, 0x03, 0xe9])

const believeNone = async (): Promise<TokenVerdict> => ({ fault: 'malformed' })

function listLogs(log: FunctionLog, { caller, url, path }: RequestContext): Response {
  if (path !== '/_internal/logs') throw functionNotFound()
  if (!isServiceRole(caller)) throw logsForbidden()
  const number = (name: string, otherwise: number): number => {
    const text = url.searchParams.get(name) ?? String(otherwise)
    if (!/^\d{1,15}$/.test(text)) throw logsNotUnderstood(`"${name}" must be a whole number`)
    return Number(text)
  }
  const name = url.searchParams.get('function')
  const logs = log.list({ ...(name === null ? {} : { function: name }), after: number('after', 0), limit: Math.min(number('limit', 200), 2000) })
  return Response.json({ logs }, { headers: { 'cache-control': 'no-store' } })
}

/**
 * Runs a project's `functions/*` on Deno, one process a function, and hands requests to them.
 *
 * @see supabase/cli internal/functions/serve, supabase/edge-runtime
 */
export function createFunctionsService(deps: FunctionsDeps): FunctionsService {
  const { settings, keys, deno, logger, clock } = deps
  const log = createFunctionLog({ log: logger, now: () => clock.now() })
  const find = createFinder(settings)
  const sockets = new Set<Upgrade['socket']>()
  let runtime: Promise<Runtime> | undefined

  // Whoever calls no function loads nothing of what runs them.
  const start = (denoPath: string): Promise<Runtime> => import('./runtime.ts').then(({ createRuntime }) => createRuntime(deps, denoPath, log))

  function getRuntime(): Promise<Runtime> {
    if ('missing' in deno) throw noRuntime(deno.missing)
    runtime ??= start(deno.path)
    return runtime
  }

  async function connect(upgrade: Upgrade, context: UpgradeContext): Promise<number> {
    const edgeFunction = find(context.path.split('/')[1] ?? '')
    if (!edgeFunction) throw functionNotFound()
    const headers = readHeaders(upgrade)
    const authorization = authorizationOf(headers, keys)
    if (edgeFunction.verifyJwt) await requireToken(authorization, context.verifyToken)
    return (await getRuntime()).connect({ edgeFunction, upgrade, request: { headers }, context: { ...context, origin: context.url.origin }, authorization })
  }

  return {
    async handle(request, context) {
      const name = context.path.split('/')[1] ?? ''
      if (name === '_internal') return listLogs(log, context)
      const edgeFunction = find(name)
      if (!edgeFunction) throw functionNotFound()
      const authorization = authorizationOf(request.headers, keys)
      if (edgeFunction.verifyJwt && request.method !== 'OPTIONS') await requireToken(authorization, context.verifyToken ?? believeNone)
      return (await getRuntime()).call({ edgeFunction, request, context, authorization })
    },
    async upgrade(upgrade, context) {
      const { socket } = upgrade
      // A caller that goes away in the middle is no fault.
      socket.on('error', () => undefined)
      try {
        const status = await connect(upgrade, context)
        if (status === 101) sockets.add(socket.once('close', () => sockets.delete(socket)))
        return status
      } catch (error) {
        return refuse(socket, renderFailure(error))
      }
    },
    async endUpgraded() {
      for (const socket of sockets) socket.end(goingAway)
    },
    renderError: renderFailure,
    listNames: () => listFunctionNames(settings),
    warnings: 'missing' in deno && listFunctionNames(settings).length > 0 ? [deno.missing] : [],
    close: async () => {
      await (await runtime)?.close()
    },
  }
}
