import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, type SupabaseClient } from '@supabase/supabase-js'
import { WebSocket } from 'ws'
import { testTemplate } from '#database/open-test-database.ts'
import { openPort } from '#gateway/server.ts'
import { createBackend, type Backend, type BackendOptions } from './backend.ts'
import { readConfig } from './config.ts'
import { signHs256 } from './keys/jwt.ts'
import { findProjectFolder, readProjectSources } from './project-folder.ts'

/** A whole box for one test file: in memory, with a project of one migration, on a port of its own. */
export interface TestBox {
  backend: Backend
  /** `http://127.0.0.1:…` */
  url: string
  port: number
  /** A token that lasts an hour, with these claims over them. */
  tokenOf(claims: Readonly<Record<string, unknown>>): string
  /** The official client, as a browser would have it. Left out, the key is the publishable one. */
  client(options?: { key?: string; token?: string; vsn?: '1.0.0' | '2.0.0' }): SupabaseClient
  close(): Promise<void>
}

export interface TestBoxOptions {
  migration?: string
  configToml?: string
  /** Default: any free one. */
  port?: number
  options?: Omit<BackendOptions, 'project' | 'template' | 'config' | 'origin'>
}

// Refusals are answered late; tests need not wait for them.
const quick = { refusalDelayMs: 0, joinErrorDelayMs: 0 }

/** Opens a box. Close it in `afterAll`. */
export async function openTestBox({ migration = '', configToml = '', port: wantedPort = 0, options = {} }: TestBoxOptions = {}): Promise<TestBox> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-box-'))
  mkdirSync(join(folder, 'supabase', 'migrations'), { recursive: true })
  writeFileSync(join(folder, 'supabase', 'migrations', '20260101000000_all.sql'), migration)
  writeFileSync(join(folder, 'supabase', 'config.toml'), configToml)
  const project = findProjectFolder(folder)
  const { config } = readConfig(readProjectSources(project, {}))
  const port = await openPort({ host: '127.0.0.1', ports: [wantedPort] })
  const url = `http://127.0.0.1:${port.port}`
  const template = options.databaseUrl === undefined ? { template: await testTemplate() } : {}
  const backend = await createBackend({ ...options, ...template, config, project, origin: url, realtime: { ...quick, ...options.realtime } })
  port.serve(backend.gateway)
  const { jwtSecret, publishableKey } = backend.keys
  return {
    backend,
    url,
    port: port.port,
    tokenOf: (claims) => signHs256(jwtSecret, { role: 'authenticated', exp: Math.floor(Date.now() / 1000) + 3600, ...claims }),
    client: ({ key = publishableKey, token, vsn = '2.0.0' } = {}) =>
      createClient(url, key, {
        auth: { persistSession: false, autoRefreshToken: false },
        ...(token === undefined ? {} : { accessToken: async () => token }),
        realtime: { transport: WebSocket as unknown as typeof globalThis.WebSocket, vsn, params: {} },
      }),
    async close() {
      await port.close(0)
      await backend.close()
      rmSync(folder, { recursive: true })
    },
  }
}
