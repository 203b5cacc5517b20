import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { openRawSocket, pushFrame, type RawSocket } from './open-raw-socket.ts'
import { openTestBox, type TestBox } from './open-test-box.ts'

let box: TestBox
const open: RawSocket[] = []
beforeAll(async () => {
  box = await openTestBox({
    configToml: '[realtime]\nmax_header_length = 1000\n',
    options: {
      realtime: {
        maxJoinsPerSecondPerConnection: 20,
        maxEventsPerSecondPerConnection: 50,
        maxChannelsPerConnection: 3,
        maxConnections: 6,
        maxPayloadBytes: 10_000,
        maxFrameBytes: 50_000,
        maxJoinBytes: 20_000,
        maxQueuedBytes: 200_000,
        maxPresenceBytes: 15_000,
      },
    },
  })
})
afterAll(() => box?.close())
afterEach(async () => {
  for (const { socket, closed } of open.splice(0)) {
    socket.terminate()
    await closed
  }
})

const connect = async (more = 'vsn=2.0.0', key = box.backend.keys.publishableKey): Promise<RawSocket> => {
  const socket = await openRawSocket(box.url, `apikey=${key}&${more}`)
  open.push(socket)
  return socket
}
const room = 'realtime:room'
const join = async (socket: RawSocket, ...[topic = room, config = {}, ref = '1']: [topic?: string, config?: object, ref?: string]) =>
  socket.ask(ref, ref, topic, 'phx_join', { config })

describe('the handshake', () => {
  const refusal = (query: string, headers: Record<string, string> = {}): Promise<[number | undefined, string]> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://127.0.0.1:${box.port}/realtime/v1/websocket?${query}`, { headers })
      socket.once('open', () => reject(new Error('It was granted')))
      socket.on('error', () => undefined)
      socket.once('unexpected-response', (_request, answer) => {
        let body = ''
        answer.on('data', (chunk: Buffer) => (body += chunk.toString()))
        answer.on('end', () => resolve([answer.statusCode, body]))
      })
    })

  test('is refused in the hosted words', async () => {
    const { publishableKey } = box.backend.keys
    expect(await refusal('vsn=2.0.0')).toEqual([401, '{"error":"API key is missing"}'])
    expect(await refusal('apikey=nonsense')).toEqual([401, '{"error":"The token provided is not a valid JWT"}'])
    expect(await refusal(`apikey=${box.tokenOf({ exp: 1 })}`)).toEqual([401, '{"error":"Token has expired"}'])
    expect(await refusal(`apikey=${box.tokenOf({ exp: undefined })}`)).toEqual([401, '{"error":"Fields `role` and `exp` are required in JWT"}'])
    expect(await refusal(`apikey=${box.tokenOf({}).slice(0, -3)}xyz`)).toEqual([401, '{"error":"Failed to validate JWT signature"}'])
    expect((await refusal(`apikey=${box.tokenOf({ role: 'postgres' })}`))[0]).toBe(401)
    expect((await refusal(`apikey=${publishableKey}&vsn=3.0.0`))[0]).toBe(400)
    expect((await refusal(`apikey=${publishableKey}`, { 'x-long': 'x'.repeat(1001) }))[0]).toBe(431)
    expect((await refusal(`apikey=${publishableKey}`, { 'x-api-key': 'nonsense' }))[0]).toBe(401)
    expect((await refusal(`apikey=${publishableKey}`, { host: 'evil.example' }))[0]).toBe(421)
  })

  test('may bring the cookies of a long session', async () => {
    open.push(await openRawSocket(box.url, `apikey=${box.backend.keys.publishableKey}`, { cookie: `a=${'x'.repeat(20_000)}` }))
  })

  test('is refused when there are too many already', async () => {
    for (let count = 0; count < 6; count += 1) await connect()
    expect(await refusal(`apikey=${box.backend.keys.publishableKey}`)).toEqual([429, '{"error":"Too many connected users"}'])
  })

  test('is asked for by a plain request with 426', async () => {
    expect((await fetch(`${box.url}/realtime/v1/websocket?apikey=${box.backend.keys.publishableKey}`)).status).toBe(426)
  })
})

describe('messages', () => {
  test('are answered as Phoenix answers them', async () => {
    const socket = await connect()
    expect(await socket.ask(null, '1', 'phoenix', 'heartbeat')).toEqual({ status: 'ok', response: {} })
    expect(await socket.ask(null, '2', 'other', 'phx_join')).toEqual({ status: 'error', response: { reason: 'unmatched topic' } })
    expect(await socket.ask(null, '3', room, 'broadcast')).toEqual({ status: 'error', response: { reason: 'unmatched topic' } })
    expect(await socket.ask(null, '4', room, 'phx_leave')).toEqual({ status: 'ok', response: {} })
    expect(await join(socket, 'realtime:', {}, '5')).toEqual({ status: 'error', response: { reason: 'TopicNameRequired: You must provide a topic name' } })
    expect(await join(socket, room, { postgres_changes: [] }, '6')).toEqual({ status: 'ok', response: { postgres_changes: [] } })
    const closed = socket.next(([, , , event]) => event === 'phx_close')
    expect(await socket.ask('6', '7', room, 'phx_leave')).toEqual({ status: 'ok', response: {} })
    expect(await closed).toEqual(['6', '6', room, 'phx_close', {}])
  })

  test('of the older version come and go as objects', async () => {
    const socket = await connect('vsn=1.0.0')
    const heard = new Promise((resolve) => socket.socket.once('message', (data: Buffer) => resolve(JSON.parse(data.toString()))))
    socket.socket.send(JSON.stringify({ topic: room, event: 'phx_join', payload: { config: {} }, ref: '1', join_ref: '1' }))
    expect(await heard).toEqual({ topic: room, event: 'phx_reply', payload: { status: 'ok', response: { postgres_changes: [] } }, ref: '1' })
  })

  test('a second join of a topic closes the first, and what was asked gets ids that stay', async () => {
    const socket = await connect()
    const changes = [{ event: '*', schema: 'public', table: 'a' }, { event: 'INSERT', schema: 'public' }]
    const first = (await join(socket, room, { postgres_changes: changes })) as { response: { postgres_changes: { id: number }[] } }
    expect(first.response.postgres_changes).toMatchObject(changes)
    const closed = socket.next(([, , , event]) => event === 'phx_close')
    const second = (await join(socket, room, { postgres_changes: changes.toReversed() }, '2')) as typeof first
    expect((await closed)[0]).toBe('1')
    expect(second.response.postgres_changes.map(({ id }) => id)).toEqual(first.response.postgres_changes.map(({ id }) => id).toReversed())
    expect(await socket.ask('1', '3', room, 'presence', { event: 'untrack' })).toMatchObject({ status: 'ok' })
    socket.send('1', '4', room, 'phx_leave', {})
    expect(await socket.ask('2', '5', room, 'presence', { event: 'untrack' })).toMatchObject({ status: 'ok' })
    expect(socket.frames.some(([, ref]) => ref === '4')).toBe(false)
  })

  test('flags may be texts, and a config that makes no sense is joined all the same', async () => {
    const socket = await connect()
    expect(await join(socket, room, { broadcast: { ack: 'TRUE', self: 'nope' }, presence: 'x', postgres_changes: null, private: 'False' })).toMatchObject({ status: 'ok' })
    expect(await socket.ask('1', '2', room, 'broadcast', { type: 'broadcast', event: 'x', payload: {} })).toEqual({ status: 'ok', response: {} })
  })

  test('tokens are refused with the hosted codes, and a project key among them stands for the one of the connection', async () => {
    const socket = await connect()
    const ask = (ref: string, access_token: unknown) => socket.ask(ref, ref, room, 'phx_join', { config: {}, access_token })
    expect(await ask('1', 'nonsense')).toEqual({ status: 'error', response: { reason: 'MalformedJWT: The token provided is not a valid JWT' } })
    expect(await ask('2', box.tokenOf({}).slice(0, -3))).toMatchObject({ response: { reason: 'JwtSignatureError: Failed to validate JWT signature' } })
    expect(await ask('3', box.tokenOf({ exp: 1 }))).toMatchObject({ response: { reason: expect.stringMatching(/^InvalidJWTToken: Token has expired \d+ seconds ago$/) as string } })
    expect(await ask('4', box.tokenOf({ exp: undefined }))).toMatchObject({ response: { reason: 'InvalidJWTToken: Fields `role` and `exp` are required in JWT' } })
    expect(await ask('5', 'sb_secret_of_somebody')).toMatchObject({ status: 'ok' })
  })

  test('replication is told ready when asked for', async () => {
    const socket = await connect()
    const told = socket.next(([, , , event]) => event === 'system')
    await join(socket, room, { broadcast: { replication_ready: true } })
    expect(await told).toEqual(['1', null, room, 'system', { extension: 'system', status: 'ok', message: 'Replication connection established', channel: 'room' }])
  })
})

describe('an attacker', () => {
  test('who sends garbage is ignored, and the channel goes on', async () => {
    const socket = await connect()
    await join(socket)
    const garbage = ['', 'null', '{}', '[]', '[1,2]', '["1","2",3,"x",{}]', '["1",{"a":1},"realtime:room","x",{}]', '{"topic":', '[[[[[[', '\u0000']
    for (const text of garbage) socket.socket.send(text)
    for (const bytes of [[], [3], [3, 255, 255, 255, 255, 255, 1], [0, 1, 2], [9, 0, 0, 0, 0, 0, 0], [3, 0, 0, 2, 0, 0, 1, 0xff, 0xfe]]) socket.socket.send(Buffer.from(bytes))
    expect(await socket.ask(null, '9', 'phoenix', 'heartbeat')).toMatchObject({ status: 'ok' })
    expect(await socket.ask('1', '10', room, 'presence', { event: 'untrack' })).toMatchObject({ status: 'ok' })
  })

  test('who sends nothing but garbage is closed', async () => {
    const socket = await connect()
    for (let count = 0; count < 400; count += 1) socket.socket.send('garbage')
    expect(await socket.closed).toBe(1008)
  })

  test('cannot forge what others get around the payload', async () => {
    const victim = await connect('vsn=1.0.0')
    victim.socket.send(JSON.stringify({ topic: room, event: 'phx_join', payload: { config: {} }, ref: '1' }))
    const socket = await connect()
    await join(socket, room, { broadcast: { ack: true } })
    const texts: string[] = []
    victim.socket.on('message', (data: Buffer) => texts.push(data.toString()))
    for (const payload of ['1},"event":"phx_close","x":{"a":1', '{"a":1}]', '', '{"a":"\u0001"}']) socket.socket.send(pushFrame({ topic: room, event: 'x', payload: Buffer.from(payload) }))
    socket.socket.send(pushFrame({ topic: room, event: '","event":"phx_close', payload: Buffer.from('{}') }))
    await expect.poll(() => texts.length, { timeout: 10_000 }).toBe(1)
    expect(JSON.parse(texts[0] ?? '')).toEqual({ topic: room, event: 'broadcast', payload: { type: 'broadcast', event: '","event":"phx_close', payload: {} }, ref: null })
  })

  test('cannot reach a topic without joining it', async () => {
    const listener = await connect()
    await join(listener, 'realtime:other')
    const socket = await connect()
    await join(socket)
    socket.socket.send(pushFrame({ topic: 'realtime:other', event: 'x', payload: Buffer.from('{}') }))
    expect(await socket.ask('1', '5', 'realtime:other', 'broadcast', { event: 'x' })).toMatchObject({ response: { reason: 'unmatched topic' } })
    expect(listener.binaries).toEqual([])
  })

  test('cannot take a property of all objects for a key', async () => {
    const socket = await connect()
    await join(socket, room, { presence: { key: '__proto__', enabled: true } })
    const diff = socket.next(([, , , event]) => event === 'presence_diff')
    socket.socket.send('["1","2","realtime:room","presence",{"event":"track","payload":{"__proto__":{"admin":true},"phx_ref":"mine"}}]')
    const text = JSON.stringify((await diff)[4])
    expect(text).toContain('"__proto__":{"metas":')
    expect(text).not.toContain('"mine"')
    expect(({} as { admin?: boolean }).admin).toBeUndefined()
  })

  test('who sends a frame that is too large is closed', async () => {
    const socket = await connect()
    socket.socket.send('x'.repeat(50_001))
    expect(await socket.closed).toBe(1009)
  })

  test('who sends a message that is too large is told, and nobody hears it', async () => {
    const socket = await connect()
    await join(socket, room, { broadcast: { ack: true, self: true } })
    expect(await socket.ask('1', '2', room, 'broadcast', { event: 'x', payload: 'x'.repeat(10_001) })).toEqual({ status: 'error', response: 'payload_size_exceeded' })
    expect(socket.frames.filter(([, , , event]) => event === 'broadcast')).toEqual([])
  })

  test('who joins and joins is told, and closed', async () => {
    const socket = await connect()
    for (const topic of ['a', 'b', 'c']) expect(await join(socket, `realtime:${topic}`, {}, topic)).toMatchObject({ status: 'ok' })
    expect(await join(socket, 'realtime:d', {}, 'd')).toEqual({ status: 'error', response: { reason: 'ChannelRateLimitReached: Too many channels' } })
    for (let count = 0; count < 60; count += 1) socket.send(null, `${count}`, `realtime:${count}`, 'phx_join', { config: {} })
    expect(await socket.closed).toBe(1008)
    expect(socket.frames.at(-1)?.[4]).toEqual({ status: 'error', response: { reason: 'ClientJoinRateLimitReached: Too many joins per second' } })
  })

  test('cannot have much kept for them by long names and large joins', async () => {
    const socket = await connect()
    const long = `realtime:${'x'.repeat(1_001)}`
    const refused = socket.next(([, ref]) => ref === '1')
    socket.send('1', '1', long, 'phx_join', { config: {} })
    expect((await refused)[4]).toEqual({ status: 'error', response: { reason: 'TopicNameTooLong: A topic name has at most 1000 characters' } })
    expect(await join(socket, room, { presence: { key: 'x'.repeat(20_000) } }, '2')).toEqual({ status: 'error', response: { reason: 'InvalidJoinPayload: The payload of a join is too large' } })
    socket.send('x'.repeat(256), '3', room, 'phx_join', { config: {} })
    expect(await join(socket, room, {}, '4')).toMatchObject({ status: 'ok' })
    expect(socket.frames.some(([, ref]) => ref === '3')).toBe(false)
  })

  test('cannot pile up messages while the database is asked', async () => {
    const socket = await connect('vsn=2.0.0', box.tokenOf({}))
    const refused = socket.next(([, ref, , event]) => ref === '1' && event === 'phx_reply')
    socket.send('1', '1', room, 'phx_join', { config: { private: true } })
    for (let count = 0; count < 40; count += 1) socket.socket.send(pushFrame({ topic: room, event: 'x', payload: Buffer.from(`"${'x'.repeat(9_000)}"`) }))
    expect((await refused)[4]).toMatchObject({ status: 'error' })
    expect(await join(socket, room, {}, '50')).toMatchObject({ status: 'ok' })
  })

  test('who beats and beats is closed', async () => {
    const socket = await connect()
    for (let count = 0; count < 200; count += 1) socket.send(null, null, 'phoenix', 'heartbeat', {})
    expect(await socket.closed).toBe(1008)
  })

  test('cannot have each of many thousand wishes for changes looked at', async () => {
    const socket = await connect()
    const told = socket.next(([, , , event]) => event === 'system')
    const joined = (await join(socket, room, { postgres_changes: Array.from({ length: 5_000 }, () => ({})) })) as { response: { postgres_changes: unknown[] } }
    expect(joined.response.postgres_changes).toHaveLength(101)
    expect((await told)[4]).toMatchObject({ status: 'error', message: 'Too many postgres_changes in one channel: at most 100' })
  })

  test('who floods a channel is told, and loses the channel', async () => {
    const socket = await connect()
    await join(socket)
    const told = socket.next(([, , , event]) => event === 'system')
    const closed = socket.next(([, , , event]) => event === 'phx_close')
    for (let count = 0; count < 200; count += 1) socket.send('1', null, room, 'broadcast', { event: 'x', payload: {} })
    expect((await told)[4]).toEqual({ extension: 'system', status: 'error', message: 'Too many messages per second', channel: 'room' })
    await closed
  })

  test('who is seen too often is told, and so is who says too much of themselves', async () => {
    const socket = await connect()
    await join(socket)
    const told = socket.next(([, , , event]) => event === 'system')
    for (let count = 0; count < 6; count += 1) socket.send('1', `${count + 10}`, room, 'presence', { event: 'track', payload: { count } })
    expect((await told)[4]).toMatchObject({ message: 'Client presence rate limit exceeded' })
    const more = await Promise.all([connect(), connect()])
    const large = { event: 'track', payload: { text: 'x'.repeat(9_000) } }
    for (const one of more) await join(one, 'realtime:large')
    expect(await more[0]?.ask('1', '2', 'realtime:large', 'presence', large)).toMatchObject({ status: 'ok' })
    const refused = more[1]?.next(([, , , event]) => event === 'system')
    more[1]?.send('1', '2', 'realtime:large', 'presence', large)
    expect((await refused)?.[4]).toMatchObject({ message: 'Track message size exceeded' })
    expect(await join(socket, room, {}, '40')).toMatchObject({ status: 'ok' })
    expect(await socket.ask('40', '41', room, 'presence', { event: 'track', payload: 'text' })).toEqual({ status: 'error', response: { reason: 'Presence track payload must be a map' } })
  })

  test('who is seen under a long name takes the room of a long name', async () => {
    const config = { presence: { key: 'x'.repeat(9_000), enabled: true } }
    const [first, second] = await Promise.all([connect(), connect()])
    for (const one of [first, second]) await join(one, 'realtime:named', config)
    expect(await first.ask('1', '2', 'realtime:named', 'presence', { event: 'track', payload: {} })).toMatchObject({ status: 'ok' })
    const refused = second.next(([, , , event]) => event === 'system')
    second.send('1', '2', 'realtime:named', 'presence', { event: 'track', payload: {} })
    expect((await refused)[4]).toMatchObject({ message: 'Track message size exceeded' })
  })

  test('who does not read is closed before much waits for them, and nobody else notices', async () => {
    const slow = await connect()
    await join(slow, 'realtime:slow')
    slow.socket.pause()
    const quick = await connect()
    await join(quick, 'realtime:slow')
    const post = () =>
      fetch(`${box.url}/realtime/v1/api/broadcast/slow/events/x`, { method: 'POST', headers: { apikey: box.backend.keys.publishableKey, 'content-type': 'application/json' }, body: JSON.stringify({ text: 'x'.repeat(9_900) }) })
    // What the kernel holds for both ends comes before what waits here.
    for (let round = 0; round < 100; round += 1) await Promise.all(Array.from({ length: 12 }, post))
    await expect.poll(() => quick.binaries.length, { timeout: 20_000 }).toBe(1200)
    slow.socket.resume()
    expect([1006, 1013]).toContain(await slow.closed)
  })
})

test('what reaches many counts for more, and whoever sends too much of it loses the channel', async () => {
  const own = await openTestBox({ options: { realtime: { maxEventsPerSecondPerConnection: 10, maxChannelsPerConnection: 1000, maxJoinsPerSecondPerConnection: 1000 } } })
  const query = `apikey=${own.backend.keys.publishableKey}&vsn=2.0.0`
  const listeners = await Promise.all(Array.from({ length: 200 }, () => openRawSocket(own.url, query)))
  await Promise.all(listeners.map((socket) => join(socket)))
  const sender = await openRawSocket(own.url, query)
  await join(sender)
  const told = sender.next(([, , , event]) => event === 'system')
  // Each counts three times; after a pause twenty may come at once.
  for (let count = 0; count < 10; count += 1) sender.socket.send(pushFrame({ topic: room, event: 'x', payload: Buffer.from('{}') }))
  expect((await told)[4]).toMatchObject({ message: 'Too many messages per second' })
  await expect.poll(() => Math.min(...listeners.map(({ binaries }) => binaries.length)), { timeout: 10_000 }).toBeGreaterThanOrEqual(6)
  expect(Math.max(...listeners.map(({ binaries }) => binaries.length))).toBeLessThan(10)
  await own.close()
})

test('a socket that is silent is closed, one with heartbeats is not', async () => {
  const own = await openTestBox({ options: { realtime: { idleTimeoutMs: 2_000 } } })
  const [silent, alive] = await Promise.all([1, 2].map(() => openRawSocket(own.url, `apikey=${own.backend.keys.publishableKey}&vsn=2.0.0`)))
  const beats = setInterval(() => alive?.send(null, '1', 'phoenix', 'heartbeat', {}), 300)
  expect(await silent?.closed).toBe(1000)
  expect(await alive?.ask('2', '2', room, 'phx_join', { config: {} })).toMatchObject({ status: 'ok' })
  clearInterval(beats)
  await own.close()
})

test('a box that stops tells its sockets to come back', async () => {
  const own = await openTestBox()
  const socket = await openRawSocket(own.url, `apikey=${own.backend.keys.publishableKey}&vsn=2.0.0`)
  await socket.ask('1', '1', room, 'phx_join', { config: {} })
  await own.close()
  expect(await socket.closed).toBe(1012)
})
