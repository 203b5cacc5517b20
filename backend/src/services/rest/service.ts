import type { Clock } from '#contract/clock.ts'
import type { Logger } from '#contract/logger.ts'
import type { RequestContext, Service } from '#contract/service.ts'
import type { Database } from '#database/database.ts'
import { DatabaseWatch } from './database-watch.ts'
import { isSchemaMiss, openApiForbidden, schemaCacheNotReady, tokenRequired } from './errors.ts'
import { getRoutine, getTable, type Planning } from './plan/plan.ts'
import { renderFailure } from './render-failure.ts'
import { allowReply, routineMethods, schemaMethods, tableMethods } from './reply/allowed-methods.ts'
import { makeReply, type Reply } from './reply/reply.ts'
import { toResponse } from './reply/response.ts'
import { readApiRequest, type ApiRequest } from './request/api-request.ts'
import { runPlan } from './run-plan.ts'
import type { RestSettings } from './settings.ts'
import { readSnapshot, type Snapshot } from './snapshot.ts'
import { tokenFailure } from './token-fault.ts'
import { describeSchema } from './open-api/open-api.ts'

export interface RestDeps {
  database: Database
  logger: Logger
  clock: Clock
  settings: RestSettings
}

/** The data API. `start` reads the schema ahead of the first request; `close` stops listening for its changes. */
export interface RestService extends Service {
  start(): Promise<void>
  close(): Promise<void>
}

const noBytes = new Uint8Array()

const hasBody = (method: string): boolean => method === 'POST' || method === 'PUT' || method === 'PATCH'

async function readRequest(request: Request, context: RequestContext, { settings, watch }: { settings: RestSettings; watch: DatabaseWatch<Snapshot> }): Promise<ApiRequest> {
  const { headers, method } = request
  const timezones = headers.get('prefer')?.includes('timezone=') ? await watch.listTimezones() : undefined
  const body = hasBody(method) ? new Uint8Array(await request.arrayBuffer()) : noBytes
  return readApiRequest(
    { method, path: context.path, query: context.url.search, headers, body },
    { settings, isTimezone: (name) => timezones?.has(name) ?? false },
  )
}

function answerInfo(planning: Planning, action: Extract<ApiRequest['action'], { kind: 'info' }>): Reply {
  const { cache, request } = planning
  switch (action.about) {
    case 'schema':
      return allowReply(schemaMethods)
    case 'relation':
      return allowReply(tableMethods(getTable(cache, { schema: request.schema, name: action.name })))
    case 'routine':
      return allowReply(routineMethods(getRoutine(planning, action.name, false)))
  }
}

/**
 * Builds the data API: tables, views and functions of the exposed schemas under the caller's role.
 *
 * @see https://docs.postgrest.org/en/v14/references/api.html
 */
export function createRestService({ database, logger, clock, settings: given }: RestDeps): RestService {
  const watch = new DatabaseWatch<Snapshot>({ database, logger, read: () => readSnapshot(database, given) })

  async function answer(request: ApiRequest, { cache, settings, roles, plans }: Snapshot, context: RequestContext): Promise<Reply> {
    const planning: Planning = { cache, request, settings }
    const { action } = request
    const { caller } = context
    if (action.kind === 'info') return answerInfo(planning, action)
    if (action.kind === 'schema') {
      if (settings.openApiRoles && !settings.openApiRoles.includes(caller.role)) throw openApiForbidden()
      return describeSchema({ database, settings, request, cache, context })
    }
    const prepared = plans.prepare(planning, action)
    const outcome = await runPlan({ database, settings, caller, request, prepared, roleSettings: roles.get(caller.role) })
    return makeReply(request, prepared.plan, outcome)
  }

  const getSnapshot = (): Promise<Snapshot> => watch.get().catch((error: unknown) => { throw schemaCacheNotReady(error) })

  // What is not known may be known by now, when a change has been announced.
  async function answerAgain(error: unknown, request: ApiRequest, context: RequestContext): Promise<Reply> {
    const newer = isSchemaMiss(error) ? await watch.getNewer() : undefined
    if (!newer) throw error
    return answer(request, newer, context)
  }

  return {
    async handle(request, context) {
      if (context.tokenFault) throw tokenFailure(context.tokenFault, request, clock.now())
      if (given.anonRole === undefined && context.token === undefined) throw tokenRequired()
      const snapshot = await getSnapshot()
      const apiRequest = await readRequest(request, context, { settings: snapshot.settings, watch })
      const reply = await answer(apiRequest, snapshot, context).catch((error: unknown) => answerAgain(error, apiRequest, context))
      return toResponse(reply)
    },
    renderError: (error, request, context) => renderFailure(error, { method: request.method, signedIn: context.caller.role !== given.anonRole }),
    start: () => watch.start(),
    close: () => watch.stop(),
  }
}
