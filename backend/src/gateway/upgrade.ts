import type { RequestFacts } from '#contract/caller.ts'
import type { Logger } from '#contract/logger.ts'
import type { TokenVerdict, Upgrade, UpgradeContext } from '#contract/service.ts'
import { readClient, type Connection, type ProxyRules } from './client-address.ts'
import { factsOf, isFromBrowser, verdictOf, type IdentityRules } from './identity.ts'
import { findMount, type Mount } from './mount.ts'
import { foreignHost, malformedUrl, noRoute, noUpgradeHere, secretKeyInBrowser, type Refusal } from './refusals.ts'

export interface UpgradeRules {
  mounts: readonly Mount[]
  identity: IdentityRules
  proxy: ProxyRules
  answersHost(hostname: string): boolean
}

export interface UpgradeArrival {
  upgrade: Upgrade
  connection: Connection
  requestId: string
  log: Logger
}

/** What became of an upgrade: its line in the log. */
export interface UpgradeOutcome {
  status: number
  path: string
  role?: string
  fault?: string
}

/** Answers a connection that will not be upgraded, and ends it: whatever a proxy believes follows is never read. */
export function refuseUpgrade({ socket }: Upgrade, { status, body, headers }: Refusal): number {
  const text = JSON.stringify(body)
  const lines = [
    `HTTP/1.1 ${status} Refused`,
    'connection: close',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    ...Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}`),
  ]
  socket.end(`${lines.join('\r\n')}\r\n\r\n${text}`)
  return status
}

// Only a path may stand in the request line: with a whole URL there, the `Host` header would not be the host that is asked for.
function readRequest({ request }: Upgrade): { request: Request; url: URL } | undefined {
  const text = `http://${request.headers.host ?? ''}${request.url ?? ''}`
  if (request.url?.startsWith('/') !== true || !URL.canParse(text)) return undefined
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  return { request: new Request(text, { headers }), url: new URL(text) }
}

// Browsers cannot set headers on a WebSocket, so the key is mostly in the query; there it goes no further than here.
function readHandshakeKey({ headers }: Request, url: URL): string | undefined {
  const inQuery = url.searchParams.get('apikey')
  url.searchParams.delete('apikey')
  return headers.get('x-api-key') || inQuery || headers.get('apikey') || undefined
}

function factsOfHandshake(request: Request, path: string, key: string | undefined): RequestFacts {
  const facts = factsOf(request, path, key !== undefined)
  const { 'x-api-key': _key, ...headers } = facts.headers
  return { ...facts, headers }
}

type Handshake = UpgradeArrival & { request: Request; url: URL }

async function handOver(handshake: Handshake, found: { mount: Mount; path: string }, rules: UpgradeRules): Promise<Omit<UpgradeOutcome, 'path'>> {
  const { upgrade, connection, requestId, log, request, url } = handshake
  const { service } = found.mount
  if (!service.upgrade) return { status: refuseUpgrade(upgrade, noUpgradeHere) }
  const key = readHandshakeKey(request, url)
  if (isFromBrowser(request.headers) && key?.startsWith('sb_secret_') === true) return { status: refuseUpgrade(upgrade, secretKeyInBrowser) }
  const verifyToken = (token: string): Promise<TokenVerdict> => verdictOf(token, rules.identity)
  const identity = key === undefined ? undefined : await verifyToken(key)
  const context: UpgradeContext = {
    requestId,
    identity,
    facts: factsOfHandshake(request, found.path, key),
    ip: readClient({ request, url, connection }, rules.proxy).ip,
    path: found.path,
    url,
    verifyToken,
    log,
  }
  const status = await service.upgrade(upgrade, context)
  if (identity === undefined) return { status }
  return 'fault' in identity ? { status, fault: identity.fault } : { status, role: identity.role }
}

/** Finds the service a WebSocket is meant for and hands it the connection with what is known of who asks. */
export async function answerUpgrade(arrival: UpgradeArrival, rules: UpgradeRules): Promise<UpgradeOutcome> {
  const { upgrade } = arrival
  const read = readRequest(upgrade)
  if (!read) return { status: refuseUpgrade(upgrade, malformedUrl), path: '' }
  const path = read.url.pathname
  if (!rules.answersHost(read.url.hostname)) return { status: refuseUpgrade(upgrade, foreignHost), path }
  if (upgrade.request.headers.upgrade?.toLowerCase() !== 'websocket') return { status: refuseUpgrade(upgrade, noUpgradeHere), path }
  const found = findMount(rules.mounts, path)
  if (!found) return { status: refuseUpgrade(upgrade, noRoute), path }
  return { ...(await handOver({ ...arrival, ...read }, found, rules)), path }
}
