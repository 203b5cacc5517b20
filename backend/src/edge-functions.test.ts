import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createClient } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { testTemplate } from '#database/open-test-database.ts'
import { openPort, type OpenPort } from '#gateway/server.ts'
import { findDeno } from '#services/functions/deno.ts'
import { createBackend, type Backend } from './backend.ts'
import { readConfig } from './config.ts'
import { findProjectFolder, readProjectSources } from './project-folder.ts'

const deno = findDeno(process.env.PORTICO_DENO)
const folder = mkdtempSync(join(tmpdir(), 'portico-edge-'))
let backend: Backend
let port: OpenPort
let origin = ''

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, 'supabase', path)), { recursive: true })
  writeFileSync(join(folder, 'supabase', path), text)
}

const clientWith = (key: string) =>
  createClient(origin, key, {
    auth: { persistSession: false, autoRefreshToken: false },
    realtime: { transport: WebSocket as unknown as typeof globalThis.WebSocket },
  })

beforeAll(async () => {
  cpSync(join(import.meta.dirname, '../../examples/helpdesk/supabase/functions/office-hours'), join(folder, 'supabase/functions/office-hours'), { recursive: true })
  write('config.toml', '[functions.office-hours]\nverify_jwt = false\n[functions.chat]\nverify_jwt = false\n[functions.off]\nenabled = false\n')
  write('migrations/1_notes.sql', `create table public.notes (id int primary key, owner_id uuid);
    alter table public.notes enable row level security;
    create policy "people see notes" on public.notes for select to authenticated using (true);
    grant select on public.notes to anon, authenticated;
    insert into public.notes values (1), (2);`)
  write('functions/notes/index.ts', `Deno.serve(async (request) => {
    const answer = await fetch(Deno.env.get('SUPABASE_URL') + '/rest/v1/notes?select=id', {
      headers: { apikey: Deno.env.get('SUPABASE_ANON_KEY')!, authorization: request.headers.get('authorization')! },
    })
    return new Response(answer.body, answer)
  })`)
  write('functions/off/index.ts', 'Deno.serve(() => new Response("on"))')
  write('functions/chat/index.ts', `Deno.serve((request) => {
    if (request.headers.get('upgrade') !== 'websocket') return new Response('Say it by WebSocket', { status: 426 })
    const { socket, response } = Deno.upgradeWebSocket(request)
    socket.onopen = () => socket.send('welcome to ' + new URL(request.url).pathname)
    socket.onmessage = ({ data }) => socket.send(data.toUpperCase())
    return response
  })`)
  write('functions/private-chat/index.ts', 'Deno.serve((request) => Deno.upgradeWebSocket(request).response)')
  write('functions/same/index.ts', 'Deno.serve((request) => new Response(request.body))')
  write('functions/gone/index.ts', `const seen: string[] = []
  Deno.serve((request) => {
    if (request.method === 'GET') return Response.json(seen)
    request.signal.addEventListener('abort', () => seen.push(request.method))
    return new Response(new ReadableStream({ start: (out) => out.enqueue(new TextEncoder().encode('begun')) }))
  })`)
  port = await openPort({ host: '127.0.0.1', ports: [0] })
  origin = `http://127.0.0.1:${port.port}`
  const project = findProjectFolder(folder)
  const { config } = readConfig(readProjectSources(project, {}))
  backend = await createBackend({ config, project, origin, template: await testTemplate() })
  port.serve(backend.gateway)
})
afterAll(async () => {
  await port?.close()
  await backend?.close()
  rmSync(folder, { recursive: true })
})

describe.skipIf('missing' in deno)('the functions of a project, by the official client', { timeout: 60_000 }, () => {
  test('are listed, called, and refused as config.toml says', async () => {
    expect(backend.listFunctions()).toEqual(['chat', 'gone', 'notes', 'office-hours', 'private-chat', 'same'])
    const client = clientWith(backend.keys.publishableKey)
    const open = await client.functions.invoke('office-hours', { body: {} })
    expect(open).toMatchObject({ error: null, data: { timeZone: 'UTC', opensAt: '09:00' } })
    expect((await client.functions.invoke('off')).response?.status).toBe(404)
    const forged = await client.functions.invoke('notes', { headers: { authorization: 'Bearer forged' } })
    expect([forged.error?.name, await forged.response?.json()]).toEqual(['FunctionsRelayError', { msg: 'Invalid JWT' }])
  })

  test('believe no token that nobody has proven, however it is spelt', async () => {
    const sent: Record<string, string>[] = [
      { authorization: 'Bearer forged' }, { authorization: 'Bearer forged twice' }, { authorization: 'Bearer forged, Bearer again' }, { authorization: 'Bearer ' },
      { apikey: 'Bearer forged' }, { apikey: 'Bearer forged', authorization: 'Bearer sb_forged' }, { apikey: backend.keys.publishableKey, authorization: 'Bearer forged twice' },
    ]
    for (const headers of sent) expect([headers, (await fetch(`${origin}/functions/v1/same`, { method: 'POST', headers })).status]).toEqual([headers, 401])
  })

  test('act with the rights of whoever calls', async () => {
    expect((await clientWith(backend.keys.publishableKey).functions.invoke('notes')).data).toEqual([])
    expect((await clientWith(backend.keys.secretKey).functions.invoke('notes')).data).toEqual([{ id: 1 }, { id: 2 }])
    const person = clientWith(backend.keys.publishableKey)
    const signedUp = await person.auth.signUp({ email: 'ada@example.com', password: 'long-enough-1' })
    expect(signedUp.error).toBeNull()
    expect((await person.functions.invoke('notes')).data).toEqual([{ id: 1 }, { id: 2 }])
  })

  test('take WebSockets, from those who may call them', async () => {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/functions/v1/chat/room`)
    const heard: string[] = []
    await new Promise<void>((resolve, reject) => {
      socket.on('error', reject)
      socket.on('message', (data: Buffer) => {
        heard.push(data.toString())
        if (heard.length === 1) socket.send('hello')
        else resolve()
      })
    })
    expect(heard).toEqual(['welcome to /chat/room', 'HELLO'])
    socket.close()
    const status = (path: string, headers: Record<string, string> = {}) =>
      new Promise((resolve) => {
        const refused = new WebSocket(`${origin.replace('http', 'ws')}/functions/v1/${path}`, { headers })
        refused.on('unexpected-response', (_request, answer) => resolve(answer.statusCode))
        refused.on('open', () => {
          resolve(101)
          refused.close()
        })
        refused.on('error', () => undefined)
      })
    expect(await status('private-chat')).toBe(401)
    expect(await status('private-chat', { authorization: 'Bearer forged' })).toBe(401)
    expect(await status('private-chat', { authorization: `Bearer ${backend.keys.anonKey}` })).toBe(101)
    expect(await status('nowhere')).toBe(404)
    expect((await fetch(`${origin}/functions/v1/chat`)).status).toBe(426)
  })

  test('take and give large bodies, many at once, as they were', async () => {
    const authorization = `Bearer ${backend.keys.anonKey}`
    const echo = async (at: number) => {
      const body = randomBytes(3_000_000 + at)
      const answer = await fetch(`${origin}/functions/v1/same`, { method: 'POST', headers: { authorization }, body })
      return Buffer.compare(Buffer.from(await answer.arrayBuffer()), body)
    }
    for (let round = 0; round < 5; round += 1) expect(await Promise.all([1, 2, 3, 4, 5, 6, 7, 8].map(echo))).toEqual(Array.from({ length: 8 }, () => 0))
  })

  test('are never given one caller\'s bytes as another\'s request', async () => {
    const authorization = `Bearer ${backend.keys.anonKey}`
    const smuggled = 'DELETE / HTTP/1.1\r\nhost: x\r\n\r\n'
    const bodies = [`content-length: ${smuggled.length}\r\nconnection: close\r\n\r\n${smuggled}`, `transfer-encoding: chunked\r\nconnection: close\r\n\r\n${smuggled.length.toString(16)}\r\n${smuggled}\r\n0\r\n\r\n`]
    for (const [method, body] of ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'POST'].flatMap((each) => bodies.map((of) => [each, of] as const))) {
      const socket = connect(port.port, '127.0.0.1')
      socket.write(`${method} /functions/v1/same HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${authorization}\r\n${body}`)
      let said = ''
      socket.on('data', (data) => (said += String(data)))
      await new Promise((resolve) => socket.on('close', resolve))
      expect(said).toMatch(/^HTTP\/1\.1 200 /)
      if (['OPTIONS', 'DELETE', 'POST'].includes(method)) expect(said).toContain(smuggled)
      const next = await Promise.all(['a', 'b', 'c'].map(async (body) => (await fetch(`${origin}/functions/v1/same`, { method: 'POST', headers: { authorization }, body })).text()))
      expect(next).toEqual(['a', 'b', 'c'])
    }
  })

  test('hear of it when the caller goes, with or without a body of known length', async () => {
    const authorization = `Bearer ${backend.keys.anonKey}`
    for (const [method, head] of [['POST', 'transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n'], ['PUT', 'content-length: 0\r\n\r\n']] as const) {
      const socket = connect(port.port, '127.0.0.1')
      socket.write(`${method} /functions/v1/gone HTTP/1.1\r\nhost: 127.0.0.1\r\nauthorization: ${authorization}\r\n${head}`)
      await new Promise<void>((resolve) => socket.on('data', (data) => data.includes('begun') && resolve()))
      socket.destroy()
    }
    const seen = async () => (await (await fetch(`${origin}/functions/v1/gone`, { headers: { authorization } })).json()) as string[]
    await expect.poll(async () => (await seen()).toSorted(), { timeout: 5000 }).toEqual(['POST', 'PUT'])
  })

})
