import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Caller } from '#contract/caller.ts'
import { systemClock } from '#contract/clock.ts'
import { silentLogger } from '#contract/logger.ts'
import type { RequestContext, TokenFault } from '#contract/service.ts'
import type { ExtensionBundle } from '#database/engine-options.ts'
import { openDatabase } from '#database/open.ts'
import { createRestService } from './service.ts'
import { defaultRestSettings, type RestSettings } from './settings.ts'

/**
 * The data API alone on a port, for measuring it against PostgREST's own cases. Not part of the product: it trusts its environment
 * (DATABASE_URL, JWT_SECRET, ANON_ROLE, PGRST_DB_SCHEMAS, PORT, MOUNT such as `/rest/v1`, PGLITE_DIR for the
 * embedded engine instead of a Postgres, and REST_SETTINGS as JSON over the defaults).
 */

const { DATABASE_URL = '', JWT_SECRET = '', ANON_ROLE = 'anon', PGRST_DB_SCHEMAS = 'public', PORT = '3000', MOUNT = '', PGLITE_DIR = '', REST_SETTINGS = '{}' } = process.env

const extensions: readonly ExtensionBundle[] = ['pgcrypto', 'ltree', 'isn', 'file_fdw'].map((name) => ({ name, module: `@electric-sql/pglite/contrib/${name}` }))

interface Token {
  claims?: Record<string, unknown>
  fault?: TokenFault
}

const clockSkewSeconds = 30

function verify(token: string): Token {
  const [head = '', body = '', signature = '', more] = token.split('.')
  if (token.split('.').length !== 3 || more !== undefined) return { fault: 'malformed' }
  const wanted = createHmac('sha256', JWT_SECRET).update(`${head}.${body}`).digest()
  const given = Buffer.from(signature, 'base64url')
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return { fault: 'bad-signature' }
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString('utf8')) as Record<string, unknown>
  if ([claims.exp, claims.nbf, claims.iat].some((moment) => moment !== undefined && typeof moment !== 'number')) return { fault: 'malformed' }
  const now = Date.now() / 1000
  if (typeof claims.exp === 'number' && claims.exp < now - clockSkewSeconds) return { fault: 'expired' }
  if (typeof claims.nbf === 'number' && claims.nbf > now + clockSkewSeconds) return { fault: 'not-yet-valid' }
  return { claims }
}

function readToken(header: string | undefined): Token & { token?: string } {
  const match = /^bearer\s?(.*)$/i.exec(header ?? '')
  if (!match) return {}
  const token = match[1]!.trim()
  return token === '' ? { fault: 'malformed' } : { ...verify(token), token }
}

const parseCookies = (header: string): Record<string, string> =>
  Object.fromEntries(header.split(/;\s*/).filter(Boolean).map((pair) => [pair.split('=')[0]!, pair.slice(pair.indexOf('=') + 1)]))

const belowMount = ({ pathname }: URL): string => (pathname.startsWith(MOUNT) ? pathname.slice(MOUNT.length) || '/' : pathname)

const utf8Of = (text: string): string => Buffer.from(text, 'latin1').toString('utf8')

function contextOf(message: IncomingMessage, settings: RestSettings): RequestContext {
  const url = new URL(message.url ?? '/', 'http://127.0.0.1')
  const { claims, fault, token } = readToken(message.headers.authorization)
  const { cookie, ...rest } = message.headers
  const role = typeof claims?.role === 'string' ? claims.role : (settings.anonRole ?? 'anon')
  const headers = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, utf8Of(String(value))]))
  const caller: Caller = {
    role, claims: { ...claims, role },
    request: { method: message.method ?? 'GET', path: belowMount(url), headers, cookies: parseCookies(cookie ?? '') },
  }
  return {
    requestId: '', caller, ip: '127.0.0.1', origin: url.origin, path: belowMount(url), url, log: silentLogger,
    ...(fault === undefined ? {} : { tokenFault: fault }), ...(token === undefined ? {} : { token }),
  }
}

async function readBody(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of message) parts.push(part as Buffer)
  return Buffer.concat(parts)
}

async function send(response: Response, to: ServerResponse): Promise<void> {
  const headers = [...response.headers].flatMap(([name, value]) => (name === 'set-cookie' ? [] : [name, value]))
  const cookies = response.headers.getSetCookie().flatMap((value) => ['set-cookie', value])
  to.writeHead(response.status, response.statusText || undefined, [...headers, ...cookies])
  to.end(response.body === null ? undefined : Buffer.from(await response.arrayBuffer()))
}

async function main(): Promise<void> {
  // JSON knows no undefined; null stands for it.
  const given = Object.entries(JSON.parse(REST_SETTINGS) as Record<string, unknown>).map(([name, value]) => [name, value ?? undefined])
  const overrides = Object.fromEntries(given) as Partial<RestSettings>
  const [first = 'public', ...others] = PGRST_DB_SCHEMAS.split(',')
  const settings: RestSettings = {
    ...defaultRestSettings, schemas: [first, ...others], extraSearchPath: [], maxRows: undefined, anonRole: ANON_ROLE, openApiRoles: undefined,
    transactionEnd: 'rollback-allow-override', preRequest: 'test.switch_role',
    requiresFilter: false,
    appSettings: { 'app.settings.app_host': 'localhost', 'app.settings.external_api_secret': '0123456789abcdef' },
    ...overrides,
  }
  // The cases know no limit on time, and one validates a large document in SQL.
  const timeouts = { anonMs: 0, callerMs: 0 }
  const database = await openDatabase(
    PGLITE_DIR === '' ? { engine: 'postgres', url: DATABASE_URL, timeouts } : { engine: 'pglite', dataDir: PGLITE_DIR, extensions, timeouts },
  )
  const service = createRestService({ database, logger: silentLogger, clock: systemClock, settings })
  await service.start()
  createServer((message, to) => {
    const context = contextOf(message, settings)
    const answer = async (): Promise<void> => {
      const body = await readBody(message)
      const request = new Request(context.url, {
        method: message.method ?? 'GET', headers: new Headers(Object.entries(message.headers).map(([name, value]): [string, string] => [name, String(value)])),
        ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
      })
      const response = await service.handle(request, context).catch((error: unknown) => service.renderError(error, request, context))
      await send(response, to)
    }
    answer().catch((error: unknown) => to.writeHead(500).end(String(error)))
  }).listen(Number(PORT), '127.0.0.1')
}

void main()
