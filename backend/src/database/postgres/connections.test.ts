import { execFileSync } from 'node:child_process'
import { chownSync, copyFileSync, chmodSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { sql } from '#database/sql.ts'
import { findPostgres, startTestCluster, type TestCluster } from './test-cluster.ts'

const bin = findPostgres()
const anon: Caller = { role: 'anon', claims: {} }
const state = (sqlstate: string) => expect.objectContaining({ sqlstate })
const one = sql`select 1`

describe.skipIf(bin === undefined)('connections to a Postgres server', () => {
  let cluster: TestCluster
  const opened: Database[] = []
  const open = async (url: string, poolSize = 3): Promise<Database> => {
    const database = await openDatabase({ engine: 'postgres', url, poolSize })
    opened.push(database)
    return database
  }
  const untilItSleeps = async () => {
    const onlooker = await open(cluster.url('postgres'), 1)
    const sleeping = sql`select count(*)::int as n from pg_stat_activity where state = 'active' and query like '%pg_sleep(%' and pid <> pg_backend_pid()`
    await expect.poll(() => onlooker.asAdmin('postgres', (tx) => tx.one(sleeping))).toEqual({ n: 1 })
  }
  beforeAll(async () => {
    cluster = await startTestCluster(bin as string)
    const database = await open(cluster.url('postgres'))
    await database.script('postgres', `
      create role anon; create role authenticated; create role service_role bypassrls; create schema extensions;
      create role authenticator login noinherit password 'sécret%:/ü';
      grant anon, authenticated, service_role to authenticator;
      set password_encryption = 'md5';
      create role old_style login password 'md5 word';
      create function is_encrypted() returns bool language sql security definer as 'select ssl from pg_stat_ssl where pid = pg_backend_pid()'`)
  })
  afterAll(async () => {
    await Promise.all(opened.map((database) => database.close()))
    cluster?.remove()
  })

  it('signs in by SCRAM-SHA-256 and switches to the caller\'s role', async () => {
    const database = await open(cluster.url('authenticator', 'sécret%:/ü'))
    const [result] = await database.batchAsCaller(anon, [sql`select current_user, session_user`])
    expect(result?.rows).toEqual([['anon', 'authenticator']])
    await expect(database.asAdmin('postgres', (tx) => tx.many(one))).rejects.toEqual(state('42501'))
  })

  it('signs in by MD5 where the server still asks for it', async () => {
    execFileSync('sed', ['-i', '1i host all old_style all md5', join(cluster.dataDir, 'pg_hba.conf')])
    await opened[0]?.asAdmin('postgres', (tx) => tx.one(sql`select pg_reload_conf()`))
    await expect.poll(() => open(cluster.url('old_style', 'md5 word')).then(() => 'in', (error: Error) => error.message)).toBe('in')
    await expect(open(cluster.url('old_style', 'wrong'))).rejects.toEqual(state('28P01'))
  })

  it('tells a wrong password, a missing database and an unreachable server apart, and never repeats the password', async () => {
    await expect(open(cluster.url('authenticator', 'wr0ng'))).rejects.toEqual(state('28P01'))
    await expect(open(cluster.url('postgres').replace('/postgres?', '/nowhere?'))).rejects.toEqual(state('3D000'))
    const failure = await open('postgres://u:hush@127.0.0.1:1/x').catch((error: Error) => error)
    expect(failure).toMatchObject({ sqlstate: '08001' })
    expect(String((failure as Error).stack)).not.toContain('hush')
    await expect(open('mysql://u:hush@host/x')).rejects.toMatchObject({ name: 'DatabaseUrlError', message: expect.not.stringContaining('hush') })
    await expect(open('postgres://localhost/x?sslmode=sometimes')).rejects.toMatchObject({ name: 'DatabaseUrlError' })
  })

  it('gives up on a server that accepts and says nothing', async () => {
    const mute = createServer(() => undefined).listen(0, '127.0.0.1')
    await new Promise((resolve) => { mute.once('listening', resolve) })
    const { port } = mute.address() as { port: number }
    await expect(open(`postgres://u@127.0.0.1:${port}/x?connect_timeout=1`)).rejects.toEqual(state('08001'))
    mute.close()
  })

  it('refuses to send a password in clear text over an unencrypted connection', async () => {
    const greedy = createServer((socket) => {
      socket.once('data', () => {
        // "N" to TLS, then AuthenticationCleartextPassword to whatever comes.
        socket.write('N')
        socket.once('data', () => socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])))
        socket.on('data', (bytes) => { if (bytes.includes('hush')) throw new Error('the password was sent') })
      })
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => { greedy.once('listening', resolve) })
    const { port } = greedy.address() as { port: number }
    await expect(open(`postgres://u:hush@127.0.0.1:${port}/x`)).rejects.toMatchObject({ message: expect.stringContaining('clear text') })
    greedy.close()
  })

  it('encrypts, and checks the certificate when asked to', async () => {
    const at = (name: string): string => join(cluster.dataDir, name)
    const work = join(cluster.socketDir, 'ca')
    execFileSync('sh', ['-c', `mkdir -p ${work} && cd ${work} && openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=ca \
      && openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost \
      && printf 'subjectAltName=DNS:localhost' > ext && openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 2 -extfile ext -out server.crt`], { stdio: 'ignore' })
    const owner = statSync(cluster.dataDir).uid
    for (const name of ['server.key', 'server.crt']) {
      copyFileSync(join(work, name), at(name))
      chmodSync(at(name), 0o600)
      chownSync(at(name), owner, 0)
    }
    execFileSync('sh', ['-c', `echo "ssl = on" >> ${at('postgresql.conf')}`])
    cluster.crash()
    await cluster.start()
    const secure = async (mode: string, host = 'localhost', root = join(work, 'ca.crt')): Promise<string | null | undefined> => {
      const database = await open(`${cluster.url('authenticator', 'sécret%:/ü').replace('127.0.0.1', host)}?sslmode=${mode}${root === '' ? '' : `&sslrootcert=${root}`}`)
      const [result] = await database.batchAsCaller(anon, [sql`select is_encrypted()`])
      return result?.rows[0]?.[0]
    }
    expect(await secure('verify-full')).toBe('t')
    expect(await secure('prefer', 'localhost', '')).toBe('t')
    expect(await secure('disable')).toBe('f')
    expect(await secure('verify-ca', '127.0.0.1')).toBe('t')
    await expect(secure('verify-full', '127.0.0.1')).rejects.toEqual(state('08001'))
    await expect(secure('verify-full', 'localhost', '')).rejects.toEqual(state('08001'))
  })

  it('keeps nothing prepared behind a pooler', async () => {
    const count = sql`select count(*) from pg_prepared_statements`
    const prepared = async (suffix: string): Promise<unknown> => {
      const database = await open(`${cluster.url('postgres')}${suffix}`, 1)
      await database.batchAsCaller(anon, [one])
      return (await database.batchAsCaller(anon, [one, count]))[1]?.rows[0]?.[0]
    }
    expect(await prepared('&pgbouncer=true')).toBe('0')
    expect(Number(await prepared(''))).toBeGreaterThan(0)
  })

  it('never has more connections than allowed, however many ask', async () => {
    const database = await open(cluster.url('postgres'), 2)
    const seen = await Promise.all(Array.from({ length: 40 }, () => database.batchAsCaller(anon, [sql`select pg_backend_pid()`])))
    expect(new Set(seen.map(([result]) => result?.rows[0]?.[0])).size).toBeLessThanOrEqual(2)
    const held = await Promise.all([1, 2, 3, 4].map((n) => database.asAdmin('postgres', (tx) => tx.one(sql`select ${n}::int as n`))))
    expect(held).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }])
  })

  it('fails what runs when the server goes away, and works again when it is back', async () => {
    const database = await open(cluster.url('postgres'))
    const heard: string[] = []
    const stop = await database.listen('news', (payload) => heard.push(payload))
    const running = database.asAdmin('postgres', (tx) => tx.many(sql`select pg_sleep(20)`)).catch((error: unknown) => error)
    await untilItSleeps()
    cluster.crash()
    expect(await running).toMatchObject({ sqlstate: expect.stringMatching(/^(08006|57P0[12])$/) })
    await expect(database.batchAsCaller(anon, [one])).rejects.toEqual(state('08001'))
    await cluster.start()
    expect((await database.batchAsCaller(anon, [one]))[0]?.rows).toEqual([['1']])
    // The listening connection comes back by itself and says to look.
    await expect.poll(() => heard, { timeout: 20_000 }).toEqual([''])
    await database.asAdmin('postgres', (tx) => tx.execute(sql`select pg_notify('news', 'again')`))
    await expect.poll(() => heard).toEqual(['', 'again'])
    await stop()
  })

  it('is finished when it is closed', async () => {
    const database = await open(cluster.url('postgres'))
    const running = database.asAdmin('postgres', (tx) => tx.one(sql`select 1 as n from pg_sleep(1)`))
    await untilItSleeps()
    await database.close()
    expect(await running).toEqual({ n: 1 })
    await expect(database.batchAsCaller(anon, [one])).rejects.toEqual(state('57P03'))
  })
})
