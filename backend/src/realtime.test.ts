import type { RealtimeChannel, RealtimeChannelOptions, SupabaseClient } from '@supabase/supabase-js'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openRawSocket } from './open-raw-socket.ts'
import { openTestBox, type TestBox } from './open-test-box.ts'

const migration = `
create policy "members read their rooms" on realtime.messages for select to authenticated
  using (realtime.topic() like 'room-%' and realtime.topic() = 'room-' || coalesce((auth.jwt() ->> 'room'), ''));
create policy "writers write to their rooms" on realtime.messages for insert to authenticated
  with check (realtime.topic() = 'room-' || coalesce(auth.jwt() ->> 'room', '') and coalesce((auth.jwt() ->> 'writes')::boolean, false)
    and extension in ('broadcast', 'presence'));
create table public.notes (id bigint generated always as identity primary key, body text not null);
grant all on public.notes to anon, service_role;
alter publication supabase_realtime add table public.notes;
create function public.tell(body text) returns void language sql
  as $$ select realtime.send(jsonb_build_object('body', body), 'told', 'room-1', true) $$;`

let box: TestBox
const clients: SupabaseClient[] = []
beforeAll(async () => {
  box = await openTestBox({ migration })
})
afterAll(() => box?.close())
afterEach(async () => {
  for (const client of clients.splice(0)) {
    await client.removeAllChannels()
    await client.realtime.disconnect()
  }
})

const connect = (options: Parameters<TestBox['client']>[0] = {}): SupabaseClient => {
  const client = box.client(options)
  clients.push(client)
  return client
}

/** Collects what comes, and waits for so many. */
function collect<T>(): { hear: (item: T) => void; items: T[]; wait: (count: number) => Promise<T[]> } {
  const items: T[] = []
  return {
    items,
    hear: (item) => void items.push(item),
    wait: async (count) => {
      await expect.poll(() => items.length, { timeout: 10_000 }).toBeGreaterThanOrEqual(count)
      return items
    },
  }
}

async function subscribed(channel: RealtimeChannel): Promise<RealtimeChannel> {
  // The token is fetched beside; a first join would go out without it.
  await channel.socket.setAuth()
  return new Promise((resolve, reject) => {
    channel.subscribe((status, error) => {
      if (status === 'SUBSCRIBED') resolve(channel)
      else if (status !== 'CLOSED') reject(new Error(`${status}: ${error?.message}`))
    })
  })
}

const join = (client: SupabaseClient, name: string, config: RealtimeChannelOptions['config'] = {}) => subscribed(client.channel(name, { config }))

describe.each(['1.0.0', '2.0.0'] as const)('a channel by serializer %s', (vsn) => {
  test('carries broadcasts to all others on it, and to nobody else', async () => {
    const heard = collect<{ event: string; payload: unknown }>()
    const elsewhere = collect<unknown>()
    const listener = connect({ vsn }).channel('chat:1').on('broadcast', { event: '*' }, heard.hear)
    const other = connect({ vsn }).channel('chat:2').on('broadcast', { event: '*' }, elsewhere.hear)
    const sender = connect({ vsn }).channel('chat:1').on('broadcast', { event: '*' }, elsewhere.hear)
    await Promise.all([listener, other, sender].map(subscribed))
    await sender.send({ type: 'broadcast', event: 'said', payload: { text: 'héllo “there”', n: 1 } })
    await sender.send({ type: 'broadcast', event: 'said', payload: {} })
    expect(await heard.wait(2)).toMatchObject([{ type: 'broadcast', event: 'said', payload: { text: 'héllo “there”', n: 1 } }, { event: 'said', payload: {} }])
    expect(elsewhere.items).toEqual([])
  })

  test('sends back to oneself and acknowledges when asked to', async () => {
    const heard = collect<{ payload: unknown }>()
    const channel = connect({ vsn }).channel('self', { config: { broadcast: { self: true, ack: true } } }).on('broadcast', { event: 'x' }, heard.hear)
    await subscribed(channel)
    expect(await channel.send({ type: 'broadcast', event: 'x', payload: { a: 1 } })).toBe('ok')
    expect(await heard.wait(1)).toMatchObject([{ payload: { a: 1 } }])
  })

  test('tells who is there, who comes and who goes', async () => {
    const states: unknown[] = []
    const watcher = connect({ vsn }).channel('here', { config: { presence: { key: 'watcher' } } })
    watcher.on('presence', { event: 'sync' }, () => void states.push(Object.keys(watcher.presenceState()).sort()))
    await subscribed(watcher)
    const ada = await join(connect({ vsn }), 'here', { presence: { key: 'ada' } })
    expect(await ada.track({ name: 'Ada', __proto__: null })).toBe('ok')
    await expect.poll(() => states.at(-1), { timeout: 10_000 }).toEqual(['ada'])
    expect(await ada.track({ name: 'Ada', away: true })).toBe('ok')
    await expect.poll(() => watcher.presenceState().ada, { timeout: 10_000 }).toMatchObject([{ name: 'Ada', away: true }])
    expect(await watcher.track({ name: 'me' })).toBe('ok')
    await expect.poll(() => states.at(-1), { timeout: 10_000 }).toEqual(['ada', 'watcher'])
    await ada.unsubscribe()
    await expect.poll(() => states.at(-1), { timeout: 10_000 }).toEqual(['watcher'])
    expect(await watcher.untrack()).toBe('ok')
    await expect.poll(() => states.at(-1), { timeout: 10_000 }).toEqual([])
  })
})

test('members of both serializers hear each other; bytes reach those who can hold them', async () => {
  const old = collect<unknown>()
  const young = collect<{ event: string; payload: ArrayBuffer }>()
  const oldChannel = connect({ vsn: '1.0.0' }).channel('both').on('broadcast', { event: '*' }, old.hear)
  const youngChannel = connect().channel('both').on('broadcast', { event: '*' }, young.hear)
  const sender = connect().channel('both')
  await Promise.all([oldChannel, youngChannel, sender].map(subscribed))
  await sender.send({ type: 'broadcast', event: 'bytes', payload: new Uint8Array([0, 255, 1]).buffer })
  await sender.send({ type: 'broadcast', event: 'json', payload: { a: [1] } })
  await oldChannel.send({ type: 'broadcast', event: 'from-old', payload: { b: 2 } })
  await young.wait(3)
  expect(young.items.map(({ event }) => event).sort()).toEqual(['bytes', 'from-old', 'json'])
  expect([...new Uint8Array(young.items.find(({ event }) => event === 'bytes')?.payload ?? new ArrayBuffer())]).toEqual([0, 255, 1])
  expect(await old.wait(1)).toMatchObject([{ event: 'json', payload: { a: [1] } }])
})

test('people who share a key are all listed under it', async () => {
  const watcher = await join(connect(), 'crowd', { presence: { key: 'w', enabled: true } })
  const twins = await Promise.all([1, 2].map(() => join(connect(), 'crowd', { presence: { key: 'twin' } })))
  for (const [index, twin] of twins.entries()) await twin.track({ index })
  await expect.poll(() => watcher.presenceState().twin?.length, { timeout: 10_000 }).toBe(2)
  await twins[0]?.unsubscribe()
  await expect.poll(() => watcher.presenceState().twin, { timeout: 10_000 }).toMatchObject([{ index: 1 }])
})

describe('a private channel', () => {
  const inRoom = (room: string, more: object = {}) => box.tokenOf({ sub: '5b8f3c1e-0d1f-4d7a-9f56-2d1f3f3b8a01', room, ...more })

  test('is closed to whom no policy lets read it', async () => {
    await expect(join(connect(), 'room-1', { private: true })).rejects.toThrow('Unauthorized: You do not have permissions to read from this Channel topic: room-1')
    await expect(join(connect({ token: inRoom('2') }), 'room-1', { private: true })).rejects.toThrow('Unauthorized')
    await expect(join(connect({ token: inRoom('1') }), 'elsewhere', { private: true })).rejects.toThrow('Unauthorized')
    await join(connect({ token: inRoom('1') }), 'room-1', { private: true })
    await join(connect({ key: box.backend.keys.serviceRoleKey }), 'room-1', { private: true })
  })

  test('takes messages and presences only of those who may write', async () => {
    const heard = collect<{ payload: unknown }>()
    const reader = connect({ token: inRoom('1') }).channel('room-1', { config: { private: true, presence: { enabled: true } } }).on('broadcast', { event: '*' }, heard.hear)
    await subscribed(reader)
    const atWriter = collect<unknown>()
    const writer = connect({ token: inRoom('1', { writes: true }) }).channel('room-1', { config: { private: true, broadcast: { ack: true }, presence: { key: 'w' } } })
    await subscribed(writer.on('broadcast', { event: '*' }, atWriter.hear))
    await reader.send({ type: 'broadcast', event: 'x', payload: { from: 'reader' } })
    expect(await reader.track({ from: 'reader' })).toBe('error')
    expect(await writer.send({ type: 'broadcast', event: 'x', payload: { from: 'writer' } })).toBe('ok')
    expect(await heard.wait(1)).toMatchObject([{ payload: { from: 'writer' } }])
    expect(atWriter.items).toEqual([])
    expect(await writer.track({ from: 'writer' })).toBe('ok')
    await expect.poll(() => reader.presenceState(), { timeout: 10_000 }).toMatchObject({ w: [{ from: 'writer' }] })
  })

  test('never hears the public one of the same name', async () => {
    const heard = collect<unknown>()
    const secret = connect({ token: inRoom('1') }).channel('room-1', { config: { private: true } }).on('broadcast', { event: '*' }, heard.hear)
    const open = connect().channel('room-1', { config: { broadcast: { ack: true } } })
    await Promise.all([secret, open].map(subscribed))
    expect(await open.send({ type: 'broadcast', event: 'x', payload: {} })).toBe('ok')
    const writer = await join(connect({ token: inRoom('1', { writes: true }) }), 'room-1', { private: true, broadcast: { ack: true } })
    expect(await writer.send({ type: 'broadcast', event: 'y', payload: {} })).toBe('ok')
    expect(await heard.wait(1)).toMatchObject([{ event: 'y' }])
  })

  test('is closed when a new token may no longer read, and goes on when it may', async () => {
    const client = box.client()
    clients.push(client)
    await client.realtime.setAuth(inRoom('1'))
    const system = collect<{ status: string; message: string }>()
    const closed = new Promise<void>((resolve) => {
      client
        .channel('room-1', { config: { private: true } })
        .on('system', {}, system.hear)
        .subscribe((status) => {
          if (status === 'SUBSCRIBED') void client.realtime.setAuth(inRoom('1', { writes: true })).then(() => client.realtime.setAuth(inRoom('2')))
          if (status === 'CLOSED') resolve()
        })
    })
    await closed
    expect(system.items).toMatchObject([{ status: 'error', message: 'You do not have permissions to read from this Channel topic: room-1' }])
  })

  test('loses nothing while its policies are asked again for a new token', async () => {
    const heard = collect<{ payload: { n: number } }>()
    const client = box.client()
    clients.push(client)
    await client.realtime.setAuth(inRoom('1'))
    const reader = client.channel('room-1', { config: { private: true } }).on('broadcast', { event: 'n' }, heard.hear as (message: unknown) => void)
    await new Promise<void>((resolve) => void reader.subscribe((status) => status === 'SUBSCRIBED' && resolve()))
    const writer = await join(connect({ token: inRoom('1', { writes: true }) }), 'room-1', { private: true, broadcast: { ack: true } })
    for (let n = 0; n < 60; n += 1) {
      if (n % 10 === 5) void client.realtime.setAuth(inRoom('1', { n }))
      expect(await writer.send({ type: 'broadcast', event: 'n', payload: { n } })).toBe('ok')
    }
    await heard.wait(60)
    expect(heard.items.map(({ payload }) => payload.n)).toEqual(Array.from({ length: 60 }, (_, n) => n))
  })

  test('is closed when its token ends', async () => {
    const system = collect<{ status: string; message: string }>()
    const client = connect({ token: inRoom('1', { exp: Math.floor(Date.now() / 1000) + 3 }) })
    await subscribed(client.channel('room-1', { config: { private: true } }).on('system', {}, system.hear))
    expect((await system.wait(1))[0]).toMatchObject({ status: 'error', message: expect.stringMatching(/^Token has expired \d+ seconds ago$/) as string })
  })
})

describe('broadcasts over HTTP', () => {
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${box.url}/realtime/v1/api/broadcast${path}`, {
      method: 'POST',
      headers: { apikey: box.backend.keys.publishableKey, 'content-type': 'application/json', ...headers },
      body: body instanceof Uint8Array ? Buffer.from(body) : JSON.stringify(body),
    })

  test('reach channels as a batch and one by one', async () => {
    const heard = collect<{ event: string; payload: unknown }>()
    await subscribed(connect().channel('news').on('broadcast', { event: '*' }, heard.hear))
    const batch = await post('', { messages: [{ topic: 'news', event: 'a', payload: { n: 1 } }, { topic: 'news', event: 'b', payload: { n: 2 } }] })
    expect([batch.status, await batch.text()]).toEqual([202, ''])
    expect(await connect().channel('news').httpSend('c', { n: 3 })).toEqual({ success: true })
    expect((await post('/news/events/d%20e', new Uint8Array([7]), { 'content-type': 'application/octet-stream' })).status).toBe(202)
    await heard.wait(4)
    expect(heard.items.map(({ event }) => event)).toEqual(['a', 'b', 'c', 'd e'])
  })

  test('say what is wrong with them', async () => {
    const answer = async (response: Promise<Response>) => [(await response).status, await (await response).json()]
    expect(await answer(post('', {}))).toEqual([422, { errors: { messages: ["can't be blank"] } }])
    expect(await answer(post('', { messages: [{ topic: 'a' }] }))).toEqual([422, { errors: { messages: [{ payload: ["can't be blank"], event: ["can't be blank"] }] } }])
    expect(await answer(post('/a/events/b', 'x'.repeat(3_100_000)))).toEqual([422, { errors: { payload: ['Payload size exceeds tenant limit'] } }])
    expect((await post('/a/events/b', {}, { 'content-type': 'text/plain' })).status).toBe(415)
    expect(await answer(post('/a/events/b?private=true', {}))).toEqual([403, { message: 'Unauthorized' }])
    expect(await answer(fetch(`${box.url}/realtime/v1/api/broadcast`, { method: 'POST', body: '{}' }))).toEqual([401, { message: 'Unauthorized' }])
    expect((await post('', { messages: [] }, { authorization: `Bearer ${box.tokenOf({ exp: 1 })}` })).status).toBe(401)
  })

  test('go to private channels by the policies', async () => {
    const heard = collect<{ event: string }>()
    const token = box.tokenOf({ room: '1', writes: true })
    await subscribed(connect({ token }).channel('room-1', { config: { private: true } }).on('broadcast', { event: '*' }, heard.hear))
    const messages = [{ topic: 'room-1', event: 'in', payload: {}, private: true }]
    expect((await post('', { messages })).status).toBe(202)
    expect((await post('', { messages: [{ ...messages[0], event: 'mine' }] }, { authorization: `Bearer ${token}` })).status).toBe(202)
    expect((await post('/room-1/events/single?private=true', {}, { authorization: `Bearer ${token}` })).status).toBe(202)
    await heard.wait(2)
    expect(heard.items.map(({ event }) => event)).toEqual(['mine', 'single'])
  })

  test('may be sent with a person’s token where the key would stand', async () => {
    const token = box.tokenOf({ sub: 'ada' })
    expect((await post('/a/events/b', {}, { apikey: token, authorization: `Bearer ${token}` })).status).toBe(202)
    expect((await post('/a/events/b', {}, { apikey: token })).status).toBe(202)
    expect((await post('/a/events/b', {}, { apikey: `${token}x` })).status).toBe(401)
  })
})

describe('the database', () => {
  const service = () => connect({ key: box.backend.keys.serviceRoleKey })

  test('tells of its changes and of messages stored in it', async () => {
    const changes = collect<{ eventType: string; new: { body?: string } }>()
    const stored = collect<{ payload: unknown; meta?: { id: string } }>()
    const ready = collect<{ status: string; message: string }>()
    const channel = connect({ token: box.tokenOf({ room: '1' }) }).channel('room-1', { config: { private: true } })
    channel.on('postgres_changes', { event: '*', schema: 'public', table: 'notes' }, changes.hear as (message: unknown) => void)
    channel.on('broadcast', { event: 'told' }, stored.hear as (message: unknown) => void).on('system', {}, ready.hear)
    await subscribed(channel)
    expect((await ready.wait(1))[0]).toMatchObject({ status: 'ok', message: 'Subscribed to PostgreSQL' })
    expect((await service().from('notes').insert({ body: 'first' })).error).toBeNull()
    expect((await service().rpc('tell', { body: 'hello' })).error).toBeNull()
    expect(await changes.wait(1)).toMatchObject([{ eventType: 'INSERT', new: { body: 'first' } }])
    expect(await stored.wait(1)).toMatchObject([{ payload: { body: 'hello' }, meta: { id: expect.any(String) as string } }])
  })

  test('replays what was stored to whoever joins later, once', async () => {
    const since = Date.now() - 60_000
    const live = collect<unknown>()
    await subscribed(connect({ token: box.tokenOf({ room: '1' }) }).channel('room-1', { config: { private: true } }).on('broadcast', { event: 'told' }, live.hear as (message: unknown) => void))
    for (const body of ['a', 'b']) await service().rpc('tell', { body })
    // What has not been told yet would come live to the one who joins, and rightly so.
    await live.wait(2)
    const heard = collect<{ payload: { body: string }; meta?: { replayed?: boolean } }>()
    const channel = connect({ token: box.tokenOf({ room: '1' }) }).channel('room-1', { config: { private: true, broadcast: { replay: { since, limit: 2 } } } })
    await subscribed(channel.on('broadcast', { event: 'told' }, heard.hear as (message: unknown) => void))
    await service().rpc('tell', { body: 'c' })
    await heard.wait(3)
    expect(heard.items.map(({ payload, meta }) => [payload.body, meta?.replayed ?? false])).toEqual([['a', true], ['b', true], ['c', false]])
  })

  test('tells what is stored while somebody joins once, whether it is replayed or comes live', async () => {
    const since = Date.now()
    const token = box.tokenOf({ room: '1' })
    const counts: Record<string, number> = {}
    const teller = service()
    const telling = Promise.all(Array.from({ length: 20 }, (_, n) => teller.rpc('tell', { body: `race ${n}` })))
    await Promise.all(
      Array.from({ length: 5 }, async (_, at) => {
        const channel = connect({ token }).channel('room-1', { config: { private: true, broadcast: { replay: { since } } } })
        channel.on('broadcast', { event: 'told' }, ({ payload }: { payload: { body: string } }) => {
          counts[`${at} ${payload.body}`] = (counts[`${at} ${payload.body}`] ?? 0) + 1
        })
        await subscribed(channel)
      }),
    )
    await telling
    await teller.rpc('tell', { body: 'last' })
    await expect.poll(() => Object.keys(counts).filter((key) => key.endsWith('last')).length, { timeout: 10_000 }).toBe(5)
    expect(Object.keys(counts)).toHaveLength(5 * 21)
    expect(new Set(Object.values(counts))).toEqual(new Set([1]))
  })

  test('tells clients of the older kind, whose topic is what they subscribe to', async () => {
    const socket = await openRawSocket(box.url, `apikey=${box.backend.keys.publishableKey}`)
    const heard = collect<{ event: string; payload: { record?: unknown } }>()
    socket.socket.on('message', (data: Buffer) => heard.hear(JSON.parse(data.toString()) as never))
    socket.socket.send(JSON.stringify({ topic: 'realtime:public:notes', event: 'phx_join', payload: {}, ref: '1' }))
    await expect.poll(() => heard.items.map(({ event }) => event), { timeout: 10_000 }).toContain('system')
    await service().from('notes').insert({ body: 'second' })
    await expect.poll(() => heard.items.at(-1), { timeout: 10_000 }).toMatchObject({ topic: 'realtime:public:notes', event: 'INSERT', payload: { type: 'INSERT', record: { body: 'second' } } })
    socket.close()
  })
})

test('clients come back by themselves when the box was gone for a while', async () => {
  const keys = { jwtSecret: 'a-secret-that-stays-the-same-for-both-boxes', publishableKey: box.backend.keys.publishableKey }
  const first = await openTestBox({ options: { keys } })
  const [one, two] = [first.client(), first.client()]
  clients.push(one, two)
  const heard = collect<unknown>()
  const states: string[] = []
  one.channel('again').on('broadcast', { event: '*' }, heard.hear).subscribe((status) => void states.push(status))
  const sender = await subscribed(two.channel('again', { config: { broadcast: { ack: true } } }))
  await expect.poll(() => states, { timeout: 10_000 }).toEqual(['SUBSCRIBED'])
  await first.close()
  const second = await openTestBox({ port: first.port, options: { keys } })
  await expect.poll(() => states.filter((status) => status === 'SUBSCRIBED').length, { timeout: 30_000 }).toBe(2)
  await expect.poll(() => sender.send({ type: 'broadcast', event: 'x', payload: {} }), { timeout: 30_000 }).toBe('ok')
  await heard.wait(1)
  await second.close()
}, 90_000)
