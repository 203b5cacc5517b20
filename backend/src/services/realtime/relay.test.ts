import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { silentLogger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { findPostgres, startTestCluster, type TestCluster } from '#database/postgres/test-cluster.ts'
import { sql } from '#database/sql.ts'
import type { Message, Place } from './groups.ts'
import { makePresence, type Presence } from './presence.ts'
import { Relay } from './relay.ts'
import { createOpener, createSealer } from './sealed-parts.ts'

const bin = findPostgres()
const place: Place = { name: 'room', isPrivate: true }

/** A process, as far as a relay needs one. */
interface Process {
  database: Database
  relay: Relay
  messages: Message[]
  /** Keys of the people of other processes. */
  others: () => string[]
  own: (readonly [Place, Presence])[]
}

let nowMs = 1_000_000
const clock = { now: () => nowMs }

async function startProcess(url: string): Promise<Process> {
  const database = await openDatabase({ engine: 'postgres', url })
  const messages: Message[] = []
  const own: Process['own'] = []
  const known = new Map<string, Map<string, Presence>>()
  const relay = new Relay({ database, clock, logger: silentLogger, secret: 'shared', aliveEveryMs: 200 }, {
    onMessage: (_place, message) => void messages.push(message),
    onPresence(sender, _place, { joins, leaves }) {
      const theirs = known.get(sender) ?? new Map<string, Presence>()
      known.set(sender, theirs)
      if (joins) theirs.set(joins.ref, joins)
      if (leaves) theirs.delete(leaves.ref)
    },
    onAllPresences: (sender, all) => void known.set(sender, new Map(all.map(([, presence]) => [presence.ref, presence]))),
    listPresences: () => own,
  })
  await relay.start()
  return { database, relay, messages, own, others: () => [...known.values()].flatMap((theirs) => [...theirs.values()].map(({ key }) => key)).sort() }
}

function enter(process: Process, key: string): void {
  const presence = makePresence(key, {}, undefined)
  process.own.push([place, presence])
  process.relay.sendPresence(place, { joins: presence })
}

describe.skipIf(bin === undefined)('processes on one Postgres', () => {
  let cluster: TestCluster
  const running: Process[] = []
  const start = async () => {
    const process = await startProcess(cluster.url('postgres'))
    running.push(process)
    return process
  }
  beforeAll(async () => {
    cluster = await startTestCluster(bin as string)
    const database = await openDatabase({ engine: 'postgres', url: cluster.url('postgres') })
    await database.asAdmin('postgres', (tx) => tx.execute(sql`create role supabase_admin superuser login`))
    await database.close()
  })
  afterAll(async () => {
    for (const { relay, database } of running) {
      await relay.stop().catch(() => undefined)
      await database.close()
    }
    cluster?.remove()
  })

  test('forget the people of one that was killed', async () => {
    const [left, right] = [await start(), await start()]
    enter(left, 'ada')
    await expect.poll(right.others, { timeout: 10_000 }).toEqual(['ada'])
    // No goodbye, as when a process is killed.
    await left.database.close()
    nowMs += 36_000
    await expect.poll(right.others, { timeout: 10_000 }).toEqual([])
  })

  test('know of everybody again after the connection that listens was lost', async () => {
    const [left, right] = [await start(), await start()]
    enter(left, 'bob')
    await expect.poll(right.others, { timeout: 10_000 }).toEqual(['bob'])
    const killed = await left.database.asAdmin('postgres', (tx) =>
      tx.execute(sql`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen%' and pid <> pg_backend_pid()`))
    expect(killed).toBeGreaterThan(0)
    enter(left, 'cyd')
    left.own.shift()
    await expect.poll(right.others, { timeout: 20_000 }).toEqual(['cyd'])
    right.relay.send(place, { event: 'x', payload: { json: '1' } })
    await expect.poll(() => left.messages.length, { timeout: 10_000 }).toBe(1)
  })
})

describe('sealed parts', () => {
  const seal = createSealer('secret', 'sender')
  test('carry what one notification cannot hold, each within its limit', () => {
    const open = createOpener('secret')
    const text = 'ü'.repeat(300_000)
    const parts = seal(text)
    expect(parts.length).toBeGreaterThan(1)
    expect(Math.max(...parts.map((part) => Buffer.byteLength(part)))).toBeLessThan(8_000)
    expect(parts.map((part) => open(part)).at(-1)).toEqual({ sender: 'sender', text })
  })

  test('are nothing when they are changed, mixed, repeated or of another project', () => {
    const open = createOpener('secret')
    const [part = ''] = seal('text')
    expect(createOpener('other')(part)).toBeUndefined()
    expect(open(part.replace('sender', 'sendor'))).toBeUndefined()
    expect(open(part.replace(/\.(\d+)\.0\.1\./, '.99.0.1.'))).toBeUndefined()
    expect(open(`${part.slice(0, -2)}AA`)).toBeUndefined()
    expect(open(part)).toEqual({ sender: 'sender', text: 'text' })
    expect(open(part)).toBeUndefined()
    const [first = '', , third = ''] = seal('x'.repeat(20_000))
    expect([first, third].map((one) => open(one))).toEqual([undefined, undefined])
  })
})
