import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import type { Caller } from '#contract/caller.ts'
import { systemClock, type Clock } from '#contract/clock.ts'
import type { ProjectKeys } from '#contract/keys.ts'
import { silentLogger } from '#contract/logger.ts'
import type { RequestContext, TokenFault, TokenVerdict } from '#contract/service.ts'
import type { Database } from '#database/database.ts'
import { openDiskStore } from './bytes/disk-store.ts'
import type { StorageParts } from './parts.ts'
import { createStorageService, type StorageService } from './service.ts'
import { defaultStorageSettings, type StorageSettings } from './settings.ts'

const origin = 'http://storage.test'

/** Whom a test speaks for: a role, `undefined` for nobody at all, or a token that was refused. */
export type TestCaller = (Caller['claims'] & { role: string }) | { role?: never; tokenFault: TokenFault } | undefined

export const service = { role: 'service_role' } as const
export const anon = { role: 'anon' } as const
export const person = (id: string) => ({ role: 'authenticated', sub: id })

/** The storage service for tests, with no port before it. */
export interface TestStorage {
  service: StorageService
  parts: StorageParts
  /** Where the store keeps its files. */
  folder: string
  /** The official client, as a caller. */
  as(caller: TestCaller): SupabaseClient['storage']
  send(path: string, init?: RequestInit & { as?: TestCaller; duplex?: 'half' }): Promise<Response>
  close(): Promise<void>
}

const keys = { jwtSecret: 'a-test-secret-of-at-least-32-characters', anonKey: 'a.test.key', publishableKey: 'sb_publishable_test' } as ProjectKeys

/** The pair of keys tests sign with, and what they call the project. */
export const testS3 = { region: 'local', accessKeyId: 'test-access-key', secretAccessKey: 'test-secret-key', projectRefs: ['test-project'] } as const

// A person's id is as good as a token here.
const verifyToken = async (token: string): Promise<TokenVerdict> =>
  /^[0-9a-f-]{36}$/.test(token) ? { role: 'authenticated', claims: person(token), isKey: false } : { fault: 'malformed' }

function contextOf(request: Request, caller: TestCaller): RequestContext {
  const url = new URL(request.url)
  const path = url.pathname.replace(/^\/storage\/v1/, '') || '/'
  const headers = Object.fromEntries(request.headers)
  const facts = { request: { method: request.method, path, headers, cookies: {} } }
  const base = { requestId: 'test', ip: '127.0.0.1', origin, path, url, verifyToken, log: silentLogger }
  if (caller === undefined) return { ...base, caller: { role: 'anon', claims: { role: 'anon' }, ...facts } }
  if (caller.role === undefined) return { ...base, tokenFault: caller.tokenFault, caller: { role: 'anon', claims: { role: 'anon' }, ...facts } }
  return { ...base, token: 'accepted', caller: { role: caller.role, claims: caller, ...facts } }
}

export async function openTestStorage(database: Database, settings: Partial<StorageSettings> = {}, clock: Clock = systemClock): Promise<TestStorage> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-storage-test-'))
  const bytes = await openDiskStore({ folder, durable: false })
  const parts: StorageParts = { database, logger: silentLogger, clock, keys, settings: { ...defaultStorageSettings, ...settings }, bytes, s3: testS3 }
  const built = createStorageService(parts)
  await built.start()
  const answer = (request: Request, caller: TestCaller): Promise<Response> => {
    const context = contextOf(request, caller)
    return built.handle(request, context).catch((error: unknown) => built.renderError(error, request, context))
  }
  return {
    service: built,
    parts,
    folder,
    as: (caller) =>
      createClient(origin, 'key', {
        auth: { persistSession: false, autoRefreshToken: false },
        global: { fetch: (input, init) => answer(new Request(input, init), caller) },
        // The realtime client wants a WebSocket, which this Node has none of; nothing here opens one.
        realtime: { transport: (() => undefined) as never },
      }).storage,
    send: (path, init = {}) => answer(new Request(`${origin}/storage/v1${path}`, init), 'as' in init ? init.as : service),
    async close() {
      await built.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
