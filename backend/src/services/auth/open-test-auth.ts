import { randomUUID } from 'node:crypto'

import { createClient, type Session, type SupabaseClient, type SupabaseClientOptions, type User } from '@supabase/supabase-js'
import type { ProjectKeys } from '#contract/keys.ts'
import type { LogFields, Logger } from '#contract/logger.ts'
import type { Letter } from '#contract/mailer.ts'
import type { TextMessage, TextSender } from '#contract/text-sender.ts'
import type { RequestContext, Service } from '#contract/service.ts'
import type { Database } from '#database/database.ts'
import { openTestDatabase } from '#database/open-test-database.ts'

import type { AuthDeps } from './auth.ts'
import { createAuthService } from './service.ts'
import { defaultAuthSettings, type AuthSettings, type EmailSettings, type SmsSettings } from './settings.ts'
import { identify, makeTestKeys } from './test-gateway.ts'

const origin = 'http://127.0.0.1:54321'

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
  /** Makes the next letters take so long. */
  delayMail(ms: number): void
  /** All that was logged, as text. */
  logged: string[]
  fetch: typeof fetch
  /** Asks below `/auth/v1`, without the official client. */
  ask(path: string, init?: { method?: string; body?: unknown; headers?: Record<string, string>; ip?: string }): Promise<Response>
  client(options?: SupabaseClientOptions<'public'>): SupabaseClient
  admin(): SupabaseClient
  /** The newest letter to an address. */
  letterTo(address: string): Letter
  /** Texts sent, oldest first. */
  texts: TextMessage[]
  /** The code of the newest text to a number. */
  codeTo(phone: string): string
  close(): Promise<void>
}

export interface TestAuthOptions {
  settings?: Partial<Omit<AuthSettings, 'email' | 'sms'>> & { email?: Partial<EmailSettings>; sms?: Partial<SmsSettings> }
  /** In place of the phone that keeps every text. */
  sender?: TextSender
  alg?: 'ES256' | 'HS256'
  database?: Database
  /** The road to identity providers. */
  outbound?: AuthDeps['outbound']
}

function createLog(): { logger: Logger; logged: string[] } {
  const logged: string[] = []
  const plain = (value: unknown): unknown => (value instanceof Error ? { ...value, stack: value.stack, cause: plain(value.cause) } : value)
  const write = (message: string, fields?: LogFields) => void logged.push(JSON.stringify({ message, ...fields }, (_, value) => plain(value)))
  return { logged, logger: { debug: write, info: write, warn: write, error: write } }
}

/** A socket no test opens: the official client wants one to be there. */
class NoSocket {
  close() {}
}

interface Parts {
  service: Service
  keys: ProjectKeys
  clock: TestClock
  logger: Logger
}

function createAnswer({ service, keys, clock, logger }: Parts) {
  return async (request: Request, ip = '127.0.0.1'): Promise<Response> => {
    const url = new URL(request.url)
    const path = url.pathname.replace(/^\/auth\/v1/, '')
    const context: RequestContext = { requestId: randomUUID(), ...identify(request, keys, clock.now()), ip, origin, path, url, log: logger }
    try {
      return await service.handle(request, context)
    } catch (error) {
      return service.renderError(error, request, context)
    }
  }
}

function createLetterBox() {
  return {
    letters: [] as Letter[],
    isFailing: false,
    delayMs: 0,
    async send(letter: Letter) {
      if (this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs).unref())
      if (this.isFailing) throw new Error('connection refused')
      this.letters.push(letter)
    },
    letterTo(address: string): Letter {
      const found = this.letters.findLast((letter) => letter.to === address)
      if (!found) throw new Error(`no letter to ${address}`)
      return found
    },
  }
}

function createPhone() {
  const texts: TextMessage[] = []
  const sender: TextSender = {
    channels: ['sms', 'whatsapp'],
    send: async (text) => ({ messageId: `text-${texts.push(text)}` }),
  }
  return {
    texts,
    sender,
    codeTo(phone: string): string {
      const found = texts.findLast((text) => text.to === phone.replace(/\D/g, ''))
      if (!found) throw new Error(`no text to ${phone}`)
      return found.code ?? ''
    },
  }
}

const createAsk =
  (answer: (request: Request, ip?: string) => Promise<Response>, keys: ProjectKeys): TestAuth['ask'] =>
  (path, { method = 'GET', body, headers = {}, ip } = {}) =>
    answer(
      new Request(`${origin}/auth/v1${path}`, {
        method,
        headers: { apikey: keys.publishableKey, 'x-supabase-api-version': '2024-01-01', ...headers },
        ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
      ip,
    )

const createClients =
  (fetchHere: typeof fetch) =>
  (key: string, options: SupabaseClientOptions<'public'> = {}): SupabaseClient =>
    createClient(origin, key, {
      ...options,
      auth: { persistSession: false, autoRefreshToken: false, ...options.auth },
      global: { fetch: fetchHere, ...options.global },
      realtime: { transport: NoSocket as never },
    })

/** The auth service over a real in-memory database, reached by the official client. */
export async function openTestAuth({ settings = {}, alg = 'ES256', database: given, sender, outbound }: TestAuthOptions = {}): Promise<TestAuth> {
  const database = given ?? (await openTestDatabase())
  const keys = makeTestKeys(alg)
  const clock = createTestClock()
  const box = createLetterBox()
  const phone = createPhone()
  const { logger, logged } = createLog()
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
      sms: { ...defaultAuthSettings.sms, ...settings.sms },
    },
    mailer: box,
    ...(outbound === undefined ? {} : { outbound }),
    texts: sender ?? phone.sender,
  })
  const answer = createAnswer({ service, keys, clock, logger })
  const fetchHere: typeof fetch = (input, init) => answer(new Request(input, init))
  const makeClient = createClients(fetchHere)
  return {
    database,
    service,
    keys,
    clock,
    letters: box.letters,
    logged,
    delayMail: (ms) => void (box.delayMs = ms),
    failMail: (now) => void (box.isFailing = now),
    fetch: fetchHere,
    ask: createAsk(answer, keys),
    client: (options) => makeClient(keys.publishableKey, options),
    admin: () => makeClient(keys.serviceRoleKey),
    letterTo: (address) => box.letterTo(address),
    texts: phone.texts,
    codeTo: (number) => phone.codeTo(number),
    close: () => (given ? Promise.resolve() : database.close()),
  }
}

export const testPassword = 'correct horse battery'

let strangers = 0
/** An address nobody in this run has used. */
export const freshEmail = (): string => `person-${(strangers += 1)}@example.com`

/** A number nobody in this run has used. */
export const freshPhone = (): string => `4915${String((strangers += 1)).padStart(9, '0')}`

/** A person who signed up with `testPassword` and confirmed the address by the code of the letter. */
export async function signUpPerson(auth: TestAuth, email = freshEmail(), data = {}): Promise<{ client: SupabaseClient; email: string; session: Session; user: User }> {
  const client = auth.client()
  const { error } = await client.auth.signUp({ email, password: testPassword, options: { data } })
  if (error) throw error
  const { data: done, error: failed } = await client.auth.verifyOtp({ email, token: auth.letterTo(email).variables.Token ?? '', type: 'signup' })
  if (failed || !done.session || !done.user) throw failed ?? new Error('the code brought no session')
  return { client, email, session: done.session, user: done.user }
}
