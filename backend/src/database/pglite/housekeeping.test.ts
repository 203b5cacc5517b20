import { expect, it } from 'vitest'
import { openTestDatabase } from '#database/open-test-database.ts'
import { sql } from '#database/sql.ts'

it('learns how full the tables are once it is quiet, and clears away dead rows', async () => {
  const database = await openTestDatabase()
  const size = (): Promise<unknown> => database.asAdmin('postgres', (tx) => tx.one(sql`
    select reltuples::int as rows, pg_relation_size('public.full_one') as bytes from pg_class where oid = 'public.full_one'::regclass`))
  await database.script('postgres', 'create table public.full_one as select n from generate_series(1, 4000) n')
  await expect.poll(size, { timeout: 15_000, interval: 2_500 }).toMatchObject({ rows: 4000 })
  const before = await size()
  for (let turn = 0; turn < 4; turn += 1) {
    await database.script('postgres', 'update public.full_one set n = n + 1')
    await new Promise((resolve) => { setTimeout(resolve, 2_600) })
  }
  // Without vacuum the fourth update would have made five times the size.
  expect(Number((await size() as { bytes: string }).bytes)).toBeLessThan(3.5 * Number((before as { bytes: string }).bytes))
  await database.close()
})
