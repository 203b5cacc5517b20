import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { testTemplate } from '#database/open-test-database.ts'
import { createBackend, type Backend } from './backend.ts'
import { readConfig } from './config.ts'
import { emptyDataFolder } from './data-folder.ts'
import { findProjectFolder, readProjectSources } from './project-folder.ts'

const origin = 'http://127.0.0.1:54321'
let folder: string
const data = () => join(folder, '.portico')
const backends: Backend[] = []

const write = (path: string, content: string | Buffer) => {
  mkdirSync(join(folder, 'supabase', path, '..'), { recursive: true })
  writeFileSync(join(folder, 'supabase', path), content)
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'portico-files-'))
  write('config.toml', `
[storage]
file_size_limit = "1KiB"
[storage.buckets.handbook]
public = true
allowed_mime_types = ["text/markdown", "image/*"]
objects_path = "./storage/handbook"
[storage.buckets.none]
objects_path = "./storage/none"`)
  write('storage/handbook/Welcome.md', '# Welcome')
  write('storage/handbook/pictures/dot.png', 'png')
  write('storage/handbook/large.md', 'x'.repeat(2000))
  write('storage/handbook/script.js', 'x')
  write('storage/handbook/.DS_Store', 'x')
})
afterEach(async () => {
  for (const backend of backends.splice(0)) await backend.close()
  rmSync(folder, { recursive: true })
})

async function start({ dataFolder }: { dataFolder?: string } = {}) {
  const project = findProjectFolder(folder)
  const { config } = readConfig(readProjectSources(project, {}))
  const backend = await createBackend({ config, project, origin, template: await testTemplate(), ...(dataFolder === undefined ? {} : { dataFolder }) })
  backends.push(backend)
  const { storage } = createClient(origin, backend.keys.secretKey, {
    auth: { persistSession: false, autoRefreshToken: false },
    global: { fetch: (input, init) => backend.fetch(new Request(input, init)) },
    realtime: { transport: WebSocket as unknown as typeof globalThis.WebSocket },
  })
  const stop = async () => {
    backends.splice(backends.indexOf(backend), 1)
    await backend.close()
  }
  return { backend, storage, stop }
}

test('a project brings its files, once; what was changed afterwards stays, until all is forgotten', async () => {
  const first = await start({ dataFolder: data() })
  expect(first.backend.warnings.filter((warning) => warning.includes('bucket'))).toEqual([
    '"large.md" was not put into bucket "handbook": The object exceeded the maximum allowed size',
    '"script.js" was not put into bucket "handbook": mime type text/javascript is not supported',
    expect.stringContaining('The files of bucket "none" could not be read'),
  ])
  const names = async ({ storage }: Awaited<ReturnType<typeof start>>, path = '') => (await storage.from('handbook').list(path)).data?.map(({ name }) => name)
  expect([await names(first), await names(first, 'pictures')]).toEqual([['pictures', 'Welcome.md'], ['dot.png']])
  const welcome = await first.backend.fetch(new Request(`${origin}/storage/v1/object/public/handbook/Welcome.md`))
  expect([await welcome.text(), welcome.headers.get('content-type'), welcome.headers.get('cache-control')]).toEqual(['# Welcome', 'text/markdown', 'max-age=3600'])
  await first.storage.from('handbook').remove(['Welcome.md'])
  await first.stop()

  const second = await start({ dataFolder: data() })
  expect(await names(second)).toEqual(['pictures'])
  expect(await (await second.storage.from('handbook').download('pictures/dot.png')).data?.text()).toBe('png')
  await second.stop()

  await emptyDataFolder(data())
  expect(await names(await start({ dataFolder: data() }))).toEqual(['pictures', 'Welcome.md'])
}, 120_000)

test('a project that switches storage off has none', async () => {
  write('config.toml', '[storage]\nenabled = false\n')
  const { backend } = await start()
  const response = await backend.fetch(new Request(`${origin}/storage/v1/bucket`, { headers: { apikey: backend.keys.secretKey } }))
  expect([response.status, await response.json()]).toEqual([501, expect.objectContaining({ message: 'This service is switched off by [storage] of config.toml' })])
}, 120_000)
