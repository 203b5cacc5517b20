import { randomUUID } from 'node:crypto'
import { isServiceRole } from '#contract/caller.ts'
import type { Clock } from '#contract/clock.ts'
import type { ProjectKeys } from '#contract/keys.ts'
import type { Logger } from '#contract/logger.ts'
import { ServiceError } from '#contract/service-error.ts'
import type { RequestContext, Upgrade } from '#contract/service.ts'
import { createKeyRing } from './api-key.ts'
import { limitBody } from './body-limit.ts'
import { readClient, type Connection, type ProxyRules } from './client-address.ts'
import { answerPreflight, corsHeaders, isPreflight } from './cors.ts'
import { createHostCheck } from './host.ts'
import { factsOf, identify, isFromBrowser, readBearer, verdictOf, type Identity, type IdentityRules } from './identity.ts'
import { findMount, type Mount } from './mount.ts'
import { foreignHost, malformedUrl, noRoute, renderRefusal } from './refusals.ts'
import { createTokenCheck } from './token.ts'
import { answerUpgrade, refuseUpgrade, type UpgradeOutcome } from './upgrade.ts'

/** What stands behind the door besides the app. */
export interface ApiOptions {
  mounts: readonly Mount[]
  keys: ProjectKeys
  /** Whether tokens of this issuer are ours. */
  isIssuer(issuer: string): boolean
  /** Whether the database lets a request take this role. */
  allowsRole(role: string): boolean | Promise<boolean>
}

export interface GatewayOptions {
  clock: Clock
  log: Logger
  /** Left out: only the app is served. */
  api?: ApiOptions
  /** Proves that the box can answer; rejects when it cannot. */
  checkHealth(): Promise<void>
  /** Answers what no mount takes: the app. */
  fallback?(request: Request, url: URL): Promise<Response>
  /** The address the box listens on. Default `127.0.0.1`. */
  boundHost?: string
  /** Host names answered besides loopback's own. */
  allowedHosts?: readonly string[]
  trustedProxies?: readonly string[]
  publicUrl?: string
}

export interface Gateway {
  /** Answers one request. Never rejects. Without a connection it counts as one from this process. */
  fetch(request: Request, connection?: Connection): Promise<Response>
  /** Answers a connection that asks to become a WebSocket. Never rejects. */
  upgrade?(upgrade: Upgrade, connection: Connection): Promise<void>
  /** Closes what was upgraded, telling its clients to come back. */
  endUpgraded?(): Promise<void>
}

const insideProcess: Connection = { ip: '127.0.0.1' }

// A key or a token that was put into the path by mistake is no less a secret there.
const shownPath = (path: string): string => path.slice(0, 300).replace(/sb_secret_[\w-]*|eyJ[\w-]*(\.[\w-]*)*/g, '…')

/** What one request met on its way; becomes its line in the log. */
interface Trace {
  requestId: string
  path: string
  role?: string
  fault?: string
  /** Answers of the API may be read by any page; those of the app may not. */
  isApi: boolean
}

interface Arrival {
  request: Request
  url: URL
  connection: Connection
  trace: Trace
}

interface Rules {
  options: GatewayOptions
  mounts: readonly Mount[]
  identity: IdentityRules
  proxy: ProxyRules
  answersHost(hostname: string): boolean
}

function readKey(request: Request, url: URL): string | undefined {
  const header = request.headers.get('apikey')
  if (header !== null && header !== '') return header
  const inQuery = url.searchParams.get('apikey')
  // The key is the gateway's business; to a service it would look like a filter.
  if (inQuery !== null) url.searchParams.delete('apikey')
  return inQuery === null || inQuery === '' ? undefined : inQuery
}

function logWithin(log: Logger, requestId: string): Logger {
  const within = (level: keyof Logger) => (message: string, fields?: Readonly<Record<string, unknown>>) => log[level](message, { requestId, ...fields })
  return { debug: within('debug'), info: within('info'), warn: within('warn'), error: within('error') }
}

function makeContext(arrival: Arrival & { path: string }, identity: Identity, rules: Rules): RequestContext {
  const { request, url, path, trace } = arrival
  const { role, claims, token, tokenFault, sentSecret } = identity
  return {
    requestId: trace.requestId,
    caller: { role, claims, request: factsOf(request, path, sentSecret) },
    ...(tokenFault === undefined ? {} : { tokenFault }),
    ...(token === undefined ? {} : { token }),
    ...readClient(arrival, rules.proxy),
    path,
    url,
    verifyToken: (text) => verdictOf(text, rules.identity),
    log: logWithin(rules.options.log, trace.requestId),
  }
}

const bodyLimit = ({ maxBodyBytes, maxPublicBodyBytes = maxBodyBytes }: Mount, { caller }: RequestContext): number =>
  isServiceRole(caller) ? maxBodyBytes : maxPublicBodyBytes

async function serve(request: Request, mount: Mount, context: RequestContext): Promise<Response> {
  try {
    return await mount.service.handle(limitBody(request, bodyLimit(mount, context)), context)
  } catch (error) {
    const answer = mount.service.renderError(error, request, context)
    // Expected failures are part of the answer; whatever else there is must be seen by the operator, and by nobody else.
    if (answer.status >= 500 && !(error instanceof ServiceError)) context.log.error('request failed', { error })
    return answer
  }
}

async function checkHealth(options: GatewayOptions): Promise<Response> {
  try {
    await options.checkHealth()
    return Response.json({ status: 'ok', name: 'portico' }, { headers: { 'cache-control': 'no-store' } })
  } catch (error) {
    options.log.error('health check failed', { error })
    return Response.json({ status: 'unavailable', name: 'portico' }, { status: 503, headers: { 'cache-control': 'no-store' } })
  }
}

async function answerApi(arrival: Arrival, found: { mount: Mount; path: string }, rules: Rules): Promise<Response> {
  const { request, url, trace } = arrival
  trace.isApi = true
  if (isPreflight(request.method, request.headers)) return answerPreflight(request.headers)
  const sent = {
    apiKey: readKey(request, url),
    bearer: readBearer(request.headers.get('authorization')),
    fromBrowser: isFromBrowser(request.headers),
  }
  const identity = await identify(sent, { ...found.mount, needsKey: found.mount.needsKey(found.path) }, rules.identity)
  if ('refusal' in identity) return renderRefusal(identity.refusal)
  trace.role = identity.role
  if (identity.tokenFault !== undefined) trace.fault = identity.tokenFault
  return serve(request, found.mount, makeContext({ ...arrival, path: found.path }, identity, rules))
}

async function answer(arrival: Omit<Arrival, 'url'>, rules: Rules): Promise<Response> {
  const { request, trace } = arrival
  const { options } = rules
  if (!URL.canParse(request.url)) return renderRefusal(malformedUrl)
  const url = new URL(request.url)
  trace.path = url.pathname
  if (!rules.answersHost(url.hostname)) return renderRefusal(foreignHost)
  if (url.pathname === '/health') return checkHealth(options)
  const found = findMount(rules.mounts, url.pathname)
  if (found) return answerApi({ ...arrival, url }, found, rules)
  return options.fallback ? options.fallback(request, url) : renderRefusal(noRoute)
}

function addHeaders(response: Response, connection: Connection, trace: Trace): Response {
  // Text that somebody wrote is never read as a page or a script of this origin, which is the app's too.
  const headers: (readonly [string, string])[] = [['x-request-id', trace.requestId], ['x-content-type-options', 'nosniff'], ...(trace.isApi ? corsHeaders : [])]
  // On a socket they are put beside the service's own, which saves making the answer anew.
  if (connection.setHeader) {
    for (const [name, value] of headers) connection.setHeader(name, value)
    return response
  }
  const merged = new Headers(response.headers)
  for (const [name, value] of headers) if (!merged.has(name)) merged.set(name, value)
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers: merged })
}

const nobody: IdentityRules = { findKey: () => undefined, checkToken: () => ({ fault: 'unknown-key' }), allowsRole: () => false }

function createIdentityRules({ api, clock }: GatewayOptions): IdentityRules {
  if (!api) return nobody
  return {
    findKey: createKeyRing(api.keys),
    checkToken: createTokenCheck({ keys: api.keys, clock, isIssuer: api.isIssuer }),
    allowsRole: api.allowsRole,
  }
}

async function upgradeOne(upgrade: Upgrade, connection: Connection, rules: Rules): Promise<void> {
  const startedAt = performance.now()
  const { log } = rules.options
  const requestId = randomUUID()
  let outcome: UpgradeOutcome
  try {
    outcome = await answerUpgrade({ upgrade, connection, requestId, log: logWithin(log, requestId) }, rules)
  } catch (error) {
    log.error('upgrade failed', { requestId, error })
    outcome = { status: refuseUpgrade(upgrade, { status: 500, body: { message: 'An unexpected error occurred' } }), path: '' }
  }
  const { path, status, role, fault } = outcome
  const ms = Math.round((performance.now() - startedAt) * 10) / 10
  log.info('upgrade', { requestId, path: shownPath(path), status, ms, role, tokenFault: fault })
}

/** Makes the one door of the box: who asks, which service answers, what is logged. */
export function createGateway(options: GatewayOptions): Gateway {
  const rules: Rules = {
    options,
    mounts: options.api?.mounts ?? [],
    identity: createIdentityRules(options),
    answersHost: createHostCheck(options.boundHost ?? '127.0.0.1', options.allowedHosts ?? []),
    proxy: {
      trustedProxies: new Set(options.trustedProxies),
      ...(options.publicUrl === undefined ? {} : { publicUrl: options.publicUrl }),
    },
  }
  return {
    async fetch(request, connection = insideProcess) {
      const startedAt = performance.now()
      const trace: Trace = { requestId: randomUUID(), path: '', isApi: false }
      let response: Response
      try {
        response = await answer({ request, connection, trace }, rules)
      } catch (error) {
        options.log.error('gateway failed', { requestId: trace.requestId, error })
        response = renderRefusal({ status: 500, body: { message: 'An unexpected error occurred' } })
      }
      const { requestId, path, role, fault } = trace
      const ms = Math.round((performance.now() - startedAt) * 10) / 10
      // The path without its query: tokens and keys travel there.
      options.log.info('request', { requestId, method: request.method, path: shownPath(path), status: response.status, ms, role, tokenFault: fault })
      return addHeaders(response, connection, trace)
    },
    upgrade: (upgrade, connection) => upgradeOne(upgrade, connection, rules),
    async endUpgraded() {
      await Promise.all(rules.mounts.map(({ service }) => service.endUpgraded?.()))
    },
  }
}
