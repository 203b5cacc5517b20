import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Caller } from '#contract/caller.ts'
import type { Database } from '#database/database.ts'
import { openDatabase } from '#database/open.ts'
import { sql } from '#database/sql.ts'
import { testExtensions, testTemplate } from '#database/open-test-database.ts'

const anon: Caller = { role: 'anon', claims: {} }
const endless = sql`select count(*) from generate_series(1, 1000000) a, generate_series(1, 1000000) b`
const state = (sqlstate: string) => expect.objectContaining({ sqlstate })

describe('the embedded engine under its watchdog', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'portico-watchdog-'))
  let database: Database
  beforeAll(async () => {
    database = await openDatabase({ engine: 'pglite', dataDir: join(folder, 'data'), template: await testTemplate(), extensions: testExtensions() })
    await database.script('postgres', 'create table public.written (n int primary key); grant all on public.written to anon; alter table written disable row level security')
  })
  afterAll(async () => {
    await database?.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const write = (n: number) => database.batchAsCaller(anon, [sql`insert into written values (${n})`])
  const written = async (): Promise<number[]> =>
    (await database.asAdmin('postgres', (tx) => tx.many<{ n: number }>(sql`select n from public.written order by n`))).map(({ n }) => n)

  it('ends one endless statement, loses nothing, and runs what waited behind it exactly once', async () => {
    const before = [write(1), write(2)]
    const offender = database.batchAsCaller(anon, [sql`insert into written values (3)`, endless], { timeoutMs: 400 })
    const behind = [write(4), write(5), database.asAdmin('postgres', (tx) => tx.execute(sql`insert into public.written values (6)`)), write(7)]
    await expect(offender).rejects.toEqual(state('57014'))
    await Promise.all([...before, ...behind])
    expect(await written()).toEqual([1, 2, 4, 5, 6, 7])
  })

  it('ends only the transaction that holds the offender', async () => {
    const transaction = database.asAdmin('postgres', async (tx) => {
      await tx.execute(sql`insert into public.written values (20)`)
      const offender = tx.many(endless)
      const queued = tx.execute(sql`insert into public.written values (21)`)
      await expect(queued).rejects.toEqual(state('57P01'))
      await offender
    }, { timeoutMs: 400 })
    const behind = write(22)
    await expect(transaction).rejects.toEqual(state('57014'))
    await behind
    expect(await written()).toEqual([1, 2, 4, 5, 6, 7, 22])
  })

  it('starts anew after a statement that breaks the session for good', async () => {
    await database.script('postgres', `copy (select 1) to program 'true'`).catch(() => undefined)
    await database.asAdmin('postgres', (tx) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)).catch(() => undefined)
    expect(await written()).toEqual([1, 2, 4, 5, 6, 7, 22])
  })

  it('comes back by itself when what kept it from starting is gone', async () => {
    const [control, aside] = [join(folder, 'data', 'global', 'pg_control'), join(folder, 'aside')]
    const killed = expect(database.asAdmin('postgres', (tx) => tx.execute(sql`do $$ begin loop null; end loop; end $$`), { timeoutMs: 1000 })).rejects.toEqual(state('57014'))
    // By then it runs, and needs no file any more.
    await new Promise((resolve) => setTimeout(resolve, 500))
    renameSync(control, aside)
    await killed
    await expect(write(30)).rejects.toEqual(state('57P03'))
    renameSync(aside, control)
    await new Promise((resolve) => setTimeout(resolve, 2100))
    await Promise.all([write(31), write(32)])
    expect(await written()).toEqual([1, 2, 4, 5, 6, 7, 22, 31, 32])
    await database.asAdmin('postgres', (tx) => tx.execute(sql`delete from public.written where n > 22`))
  })

  it('still hears and still knows the search_path afterwards', async () => {
    const heard: string[] = []
    const stop = await database.listen('after', (payload) => heard.push(payload))
    await expect(database.batchAsCaller(anon, [endless], { timeoutMs: 300 })).rejects.toEqual(state('57014'))
    await database.asAdmin('postgres', (tx) => tx.execute(sql`select pg_notify('after', 'all')`))
    // The empty payload says that something may have been missed.
    await expect.poll(() => heard).toEqual(['', 'all'])
    await stop()
    const [result] = await database.batchAsCaller(anon, [sql`select current_setting('search_path'), length(gen_random_bytes(4))`])
    expect(result?.rows).toEqual([['"$user", public, extensions', '4']])
  })

  it('keeps the settings stored with the database, as a login would, afterwards too', async () => {
    const read = async (): Promise<unknown> =>
      (await database.batchAsCaller(anon, [sql`select current_setting('app.settings.secret', true), current_setting('timezone')`]))[0]?.rows[0]
    await database.script('postgres', `alter database postgres set "app.settings.secret" = 'a=b, c'; alter database postgres set timezone = 'Asia/Tokyo'; set timezone = 'UTC'`)
    expect(await read()).toEqual(['a=b, c', 'Asia/Tokyo'])
    await expect(database.batchAsCaller(anon, [endless], { timeoutMs: 300 })).rejects.toEqual(state('57014'))
    expect(await read()).toEqual(['a=b, c', 'Asia/Tokyo'])
  })

  it('is told to wait when the engine is closed', async () => {
    const short = await openDatabase({ engine: 'pglite', template: await testTemplate(), extensions: testExtensions() })
    await expect(short.batchAsCaller(anon, [endless], { timeoutMs: 300 })).rejects.toEqual(state('57014'))
    await expect(short.batchAsCaller(anon, [sql`select 1`])).rejects.toEqual(state('57P03'))
    await short.close()
    await expect(short.asAdmin('postgres', (tx) => tx.many(sql`select 1`))).rejects.toEqual(state('57P03'))
  })
})
