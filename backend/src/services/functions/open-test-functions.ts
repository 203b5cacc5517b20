import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Caller } from '#contract/caller.ts'
import { systemClock } from '#contract/clock.ts'
import type { ProjectKeys } from '#contract/keys.ts'
import { silentLogger, type LogLevel, type Logger } from '#contract/logger.ts'
import type { RequestContext } from '#contract/service.ts'
import { findDeno } from './deno.ts'
import type { LogEntry } from './function-log.ts'
import { createFunctionsService, type FunctionsDeps } from './service.ts'
import { defaultFunctionLimits, type FunctionLimits, type FunctionSettings, type FunctionsSettings } from './settings.ts'

const found = findDeno(process.env.PORTICO_DENO)

/** Why tests that need a real Deno cannot run; undefined when they can. */
export const noDeno: string | undefined = 'missing' in found ? found.missing : undefined

export const testKeys: ProjectKeys = {
  publishableKey: 'sb_publishable_test',
  secretKey: 'sb_secret_test-secret-key',
  jwtSecret: 'a-secret-of-at-least-thirty-two-bytes',
  anonKey: 'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoiYW5vbiJ9.signature',
  serviceRoleKey: 'eyJhbGciOiJIUzI1NiJ9.eyJyb2xlIjoic2VydmljZV9yb2xlIn0.signature',
  signing: { alg: 'HS256' },
  publicJwks: [],
}

export interface TestFunctionsOptions extends Partial<Omit<FunctionsSettings, 'limits' | 'functions'>>, Pick<Partial<FunctionsDeps>, 'databaseUrl' | 'deno'> {
  limits?: Partial<FunctionLimits>
  functions?: Readonly<Record<string, Partial<FunctionSettings>>>
}

interface Ask extends RequestInit {
  role?: string
  tokenFault?: RequestContext['tokenFault']
  /** Sends no token of its own accord. */
  bare?: boolean
}

const section: FunctionSettings = { enabled: true, verifyJwt: true, importMap: '', entrypoint: '', staticFiles: [], env: {} }

/** Asks until there is an answer, for half a minute. */
export async function until<T>(find: () => Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 600; tries += 1) {
    const value = await find()
    if (value !== undefined) return value
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('It did not come to pass')
}

function recordTo(lines: string[]): Logger {
  const at = (level: LogLevel) => (message: string, fields?: Readonly<Record<string, unknown>>) => void lines.push(JSON.stringify({ level, message, ...fields }))
  return { ...silentLogger, debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

/** Opens the service over a project folder of its own. What is called is called with a token that counts as proven. */
export function openTestFunctions({ limits, functions = {}, databaseUrl, deno = found, ...rest }: TestFunctionsOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'portico-test-functions-'))
  const lines: string[] = []
  const service = createFunctionsService({
    settings: {
      supabaseFolder: folder,
      functions: Object.fromEntries(Object.entries(functions).map(([name, given]) => [name, { ...section, ...given }])),
      secrets: {},
      policy: 'per_worker',
      ...rest,
      limits: { ...defaultFunctionLimits, ...limits },
    },
    keys: testKeys,
    logger: recordTo(lines),
    clock: systemClock,
    origin: 'http://127.0.0.1:54321',
    deno,
    denoEnvironment: {},
    parseDotenv: (text) => Object.fromEntries(text.split('\n').filter((line) => line.includes('=')).map((line) => line.split(/=(.*)/s).slice(0, 2))),
    ...(databaseUrl === undefined ? {} : { databaseUrl }),
  })

  async function call(path: string, { role = 'anon', tokenFault, bare = false, ...init }: Ask = {}): Promise<Response> {
    const url = new URL(`http://127.0.0.1:54321/functions/v1${path}`)
    const request = new Request(url, init)
    if (!bare && !request.headers.has('authorization')) request.headers.set('authorization', 'Bearer test')
    const caller: Caller = { role, claims: { role } }
    const context: RequestContext = {
      requestId: randomUUID(), caller, ip: '127.0.0.1', origin: url.origin, path: url.pathname.slice('/functions/v1'.length), url, log: silentLogger,
      verifyToken: async () => (tokenFault === undefined ? { role, claims: { role }, isKey: false } : { fault: tokenFault }),
      ...(tokenFault === undefined ? {} : { tokenFault }),
    }
    try {
      return await service.handle(request, context)
    } catch (error) {
      return service.renderError(error, request, context)
    }
  }

  return {
    folder,
    service,
    /** The box's log, one JSON object a line. */
    lines,
    call,
    /** Writes a file below `functions/`. */
    write(path: string, text: string) {
      mkdirSync(dirname(join(folder, 'functions', path)), { recursive: true })
      writeFileSync(join(folder, 'functions', path), text)
    },
    async logs(query = ''): Promise<readonly LogEntry[]> {
      const answer = await call(`/_internal/logs${query}`, { role: 'service_role' })
      return ((await answer.json()) as { logs: LogEntry[] }).logs
    },
    async close() {
      await service.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
