import { createHmac, createPublicKey, generateKeyPairSync, randomUUID, timingSafeEqual, verify, type JsonWebKey as NodeJwk } from 'node:crypto'

import { createClient, type SupabaseClient, type SupabaseClientOptions } from '@supabase/supabase-js'
import type { Caller } from '#contract/caller.ts'
import type { ProjectKeys } from '#contract/keys.ts'
import type { LogFields, Logger } from '#contract/logger.ts'
import type { Letter } from '#contract/mailer.ts'
import type { RequestContext, Service, TokenFault } from '#contract/service.ts'
import type { Database } from '#database/database.ts'
import { openTestDatabase } from '#database/open-test-database.ts'

import { createAuthService } from './service.ts'
import { defaultAuthSettings, type AuthSettings, type EmailSettings } from './settings.ts'

const origin = 'http://127.0.0.1:54321'

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')

function signHs256(claims: object, secret: string): string {
  const content = `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}`
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
}

function makeKeys(alg: 'ES256' | 'HS256'): ProjectKeys {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const kid = randomUUID()
  const jwtSecret = 'a-test-secret-of-at-least-32-characters'
  const inTenYears = Math.floor(Date.now() / 1000) + 315_360_000
  return {
    publishableKey: 'sb_publishable_test',
    secretKey: 'sb_secret_test',
    jwtSecret,
    anonKey: signHs256({ role: 'anon', exp: inTenYears }, jwtSecret),
    serviceRoleKey: signHs256({ role: 'service_role', exp: inTenYears }, jwtSecret),
    signing: alg === 'HS256' ? { alg } : { alg, kid, privateJwk: privateKey.export({ format: 'jwk' }) as JsonWebKey },
    publicJwks: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' } as JsonWebKey],
  }
}

function readClaims(token: string, keys: ProjectKeys, nowMs: number): Record<string, unknown> | TokenFault {
  const [head = '', body = '', signature = ''] = token.split('.')
  try {
    const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string }
    const content = Buffer.from(`${head}.${body}`)
    const given = Buffer.from(signature, 'base64url')
    const expected = createHmac('sha256', keys.jwtSecret).update(content).digest()
    const isRight =
      alg === 'HS256'
        ? given.length === expected.length && timingSafeEqual(given, expected)
        : verify('sha256', content, { key: createPublicKey({ key: keys.publicJwks[0] as NodeJwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' }, given)
    if (!isRight) return 'bad-signature'
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
    return typeof claims.exp === 'number' && claims.exp * 1000 < nowMs ? 'expired' : claims
  } catch {
    return 'malformed'
  }
}

// The few things a gateway does that this service counts on.
function identify(request: Request, keys: ProjectKeys, nowMs: number): Pick<RequestContext, 'caller' | 'token' | 'tokenFault'> {
  const role = request.headers.get('apikey') === keys.secretKey ? 'service_role' : 'anon'
  const bearer = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  if (!bearer || bearer.startsWith('sb_')) return { caller: { role, claims: { role } } }
  const claims = readClaims(bearer, keys, nowMs)
  if (typeof claims === 'string') return { caller: { role, claims: { role } }, tokenFault: claims }
  const caller: Caller = { role: String(claims.role ?? 'anon'), claims }
  return { caller, token: bearer }
}

/** A clock that a test moves. */
export interface TestClock {
  now(): number
  advance(seconds: number): void
}

function createTestClock(): TestClock {
  let aheadMs = 0
  return { now: () => Date.now() + aheadMs, advance: (seconds) => void (aheadMs += seconds * 1000) }
}

export interface TestAuth {
  database: Database
  service: Service
  keys: ProjectKeys
  clock: TestClock
  /** Letters sent, oldest first. */
  letters: Letter[]
  /** Makes the next letters fail until told otherwise. */
  failMail(isFailing: boolean): void
  /** All that was logged, as text. */
  logged: string[]
  fetch: typeof fetch
  /** Asks below `/auth/v1`, without the official client. */
  ask(path: string, init?: { method?: string; body?: unknown; headers?: Record<string, string>; ip?: string }): Promise<Response>
  client(options?: SupabaseClientOptions<'public'>): SupabaseClient
  admin(): SupabaseClient
  /** The newest letter to an address. */
  letterTo(address: string): Letter
  close(): Promise<void>
}

export interface TestAuthOptions {
  settings?: Partial<Omit<AuthSettings, 'email'>> & { email?: Partial<EmailSettings> }
  alg?: 'ES256' | 'HS256'
  database?: Database
}

function createLog(): { logger: Logger; logged: string[] } {
  const logged: string[] = []
  const write = (message: string, fields?: LogFields) => void logged.push(JSON.stringify({ message, ...fields }, (_, value: unknown) => (value instanceof Error ? `${value.stack} ${JSON.stringify(value)}` : value)))
  return { logged, logger: { debug: write, info: write, warn: write, error: write } }
}

/** A socket no test opens: the official client wants one to be there. */
class NoSocket {
  close() {}
}

/** The auth service over a real in-memory database, reached by the official client. */
export async function openTestAuth({ settings = {}, alg = 'ES256', database: given }: TestAuthOptions = {}): Promise<TestAuth> {
  const database = given ?? (await openTestDatabase())
  const keys = makeKeys(alg)
  const clock = createTestClock()
  const letters: Letter[] = []
  const { logger, logged } = createLog()
  let isFailing = false
  const service = createAuthService({
    database,
    logger,
    clock,
    keys,
    settings: {
      ...defaultAuthSettings,
      evenAnswerMs: 0,
      ...settings,
      email: { ...defaultAuthSettings.email, ...settings.email },
    },
    mailer: {
      async send(letter) {
        if (isFailing) throw new Error('connection refused')
        letters.push(letter)
      },
    },
  })
  const answer = async (request: Request, ip = '127.0.0.1'): Promise<Response> => {
    const url = new URL(request.url)
    const context: RequestContext = {
      requestId: randomUUID(),
      ...identify(request, keys, clock.now()),
      ip,
      origin,
      path: url.pathname.replace(/^\/auth\/v1/, ''),
      url,
      log: logger,
    }
    try {
      return await service.handle(request, context)
    } catch (error) {
      return service.renderError(error, request, context)
    }
  }
  const fetchHere: typeof fetch = (input, init) => answer(new Request(input, init))
  const makeClient = (key: string, options: SupabaseClientOptions<'public'> = {}): SupabaseClient =>
    createClient(origin, key, {
      ...options,
      auth: { persistSession: false, autoRefreshToken: false, ...options.auth },
      global: { fetch: fetchHere, ...options.global },
      realtime: { transport: NoSocket as never },
    })
  return {
    database,
    service,
    keys,
    clock,
    letters,
    logged,
    failMail: (now) => void (isFailing = now),
    fetch: fetchHere,
    ask: (path, { method = 'GET', body, headers = {}, ip } = {}) =>
      answer(
        new Request(`${origin}/auth/v1${path}`, {
          method,
          headers: { apikey: keys.publishableKey, 'x-supabase-api-version': '2024-01-01', ...headers },
          ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
        ip,
      ),
    client: (options) => makeClient(keys.publishableKey, options),
    admin: () => makeClient(keys.serviceRoleKey),
    letterTo(address) {
      const found = letters.findLast((letter) => letter.to === address)
      if (!found) throw new Error(`no letter to ${address}`)
      return found
    },
    close: () => (given ? Promise.resolve() : database.close()),
  }
}
