import type { RealtimeChannel, RealtimeChannelOptions } from '@supabase/supabase-js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '#database/open.ts'
import { sql } from '#database/sql.ts'
import { findPostgres, startTestCluster, type TestCluster } from '#database/postgres/test-cluster.ts'
import { openTestBox, type TestBox } from './open-test-box.ts'

const bin = findPostgres()
const jwtSecret = 'a-shared-secret-of-at-least-32-characters'

describe.skipIf(bin === undefined)('two boxes on one Postgres', () => {
  let cluster: TestCluster
  let boxes: [TestBox, TestBox]
  const open = () =>
    openTestBox({
      migration: 'create policy "everybody" on realtime.messages for all to authenticated using (true) with check (true);',
      options: { databaseUrl: cluster.url('postgres'), keys: { jwtSecret } },
    })
  beforeAll(async () => {
    cluster = await startTestCluster(bin as string)
    boxes = [await open(), await open()]
  }, 120_000)
  afterAll(async () => {
    await Promise.all((boxes ?? []).map((box) => box.close()))
    cluster?.remove()
  })

  type Hear = (message: { event: string; payload: unknown }) => void
  async function join(box: TestBox, name: string, { hear = () => undefined, ...config }: { hear?: Hear; private?: boolean; presence?: object } = {}): Promise<RealtimeChannel> {
    const client = box.client({ token: box.tokenOf({ sub: 'a' }) })
    await client.realtime.setAuth()
    const channel = client.channel(name, { config: config as RealtimeChannelOptions['config'] }).on('broadcast', { event: '*' }, hear)
    await new Promise<void>((resolve, reject) => {
      channel.subscribe((status, error) => (status === 'SUBSCRIBED' ? resolve() : status === 'CLOSED' ? undefined : reject(error ?? new Error(status))))
    })
    return channel
  }
  const leave = async (...channels: RealtimeChannel[]) => {
    for (const channel of channels) {
      await channel.unsubscribe()
      await channel.socket.disconnect()
    }
  }

  test('carry broadcasts to each other, in order, however large', async () => {
    const heard: { event: string; payload: unknown }[] = []
    const listener = await join(boxes[0], 'wide', { private: true, hear: (message) => void heard.push(message) })
    const sender = await join(boxes[1], 'wide', { private: true })
    const large = 'ü'.repeat(200_000)
    await sender.send({ type: 'broadcast', event: 'first', payload: { n: 1 } })
    await sender.send({ type: 'broadcast', event: 'large', payload: { large } })
    await sender.send({ type: 'broadcast', event: 'bytes', payload: new Uint8Array([0, 255]).buffer })
    // Order is a socket's own: what comes by HTTP waits for nobody.
    await expect.poll(() => heard.length, { timeout: 20_000 }).toBe(3)
    await boxes[1].client({ token: boxes[1].tokenOf({}) }).channel('wide', { config: { private: true } }).httpSend('http', { n: 4 })
    await expect.poll(() => heard.length, { timeout: 20_000 }).toBe(4)
    expect(heard.map(({ event }) => event)).toEqual(['first', 'large', 'bytes', 'http'])
    expect(heard[1]?.payload).toEqual({ large })
    expect([...new Uint8Array(heard[2]?.payload as ArrayBuffer)]).toEqual([0, 255])
    await leave(listener, sender)
  })

  test('tell each other who is there, and who was when one of them ends', async () => {
    const watcher = await join(boxes[0], 'here', { presence: { key: 'w', enabled: true } })
    const third = await open()
    const far = await join(third, 'here', { presence: { key: 'far' } })
    await far.track({ from: 'afar' })
    await expect.poll(() => watcher.presenceState(), { timeout: 20_000 }).toMatchObject({ far: [{ from: 'afar' }] })
    const late = await join(boxes[1], 'here', { presence: { key: 'l', enabled: true } })
    await expect.poll(() => late.presenceState(), { timeout: 20_000 }).toMatchObject({ far: [{ from: 'afar' }] })
    await third.close()
    await expect.poll(() => watcher.presenceState(), { timeout: 20_000 }).toEqual({})
    await leave(watcher, late)
    await far.socket.disconnect()
  }, 90_000)

  test('believe nobody else who notifies, and show nothing to who listens', async () => {
    const heard: unknown[] = []
    const listener = await join(boxes[0], 'plain', { hear: (message) => void heard.push(message) })
    const sender = await join(boxes[1], 'plain')
    const stranger = await openDatabase({ engine: 'postgres', url: cluster.url('postgres') })
    const seen: string[] = []
    const stop = await stranger.listen('portico_realtime', (payload) => void seen.push(payload))
    const forged = JSON.stringify({ kind: 'message', place: { name: 'plain', isPrivate: false }, event: 'forged', json: '{}' })
    const payloads = [forged, `stranger.1.0.1.${Buffer.from(forged).toString('base64url')}`, 'x.1.0.9999.', '.....']
    await stranger.asAdmin('postgres', async (tx) => {
      for (const payload of payloads) await tx.execute(sql`select pg_notify('portico_realtime', ${payload})`)
    })
    await sender.send({ type: 'broadcast', event: 'real', payload: { word: 'confidential' } })
    await expect.poll(() => heard.length, { timeout: 20_000 }).toBe(1)
    expect(heard).toMatchObject([{ event: 'real' }])
    await expect.poll(() => seen.length, { timeout: 20_000 }).toBeGreaterThan(payloads.length)
    expect(seen.map((payload) => Buffer.from(payload.split('.').at(-1) ?? '', 'base64url').toString()).join()).not.toContain('confidential')
    await stranger.asAdmin('postgres', async (tx) => {
      for (const payload of seen) await tx.execute(sql`select pg_notify('portico_realtime', ${payload})`)
    })
    await sender.send({ type: 'broadcast', event: 'last', payload: {} })
    await expect.poll(() => heard.length, { timeout: 20_000 }).toBeGreaterThan(1)
    expect(heard).toMatchObject([{ event: 'real' }, { event: 'last' }])
    await stop()
    await stranger.close()
    await leave(listener, sender)
  })
})
