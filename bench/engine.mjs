// node bench/engine.mjs [postgres://…]: requests a second of one pipelined 20-row select under row policies, of an acknowledged
// insert, and memory: on the embedded engine, and on a Postgres when its URL is given.
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { importBundled, scratch } from './database.mjs'

const seconds = Number(process.env.SECONDS_EACH ?? 3)
const folder = scratch(`engine-bench-${process.pid}`)
// Made in a process of its own: initdb leaves half a gigabyte resident behind.
if (process.argv[2] === '--template') {
  const { buildTemplate } = await importBundled('open.ts', process.argv[3])
  await buildTemplate({ out: join(process.argv[3], 'template.tar.gz'), prepare: async () => undefined })
  process.exit(0)
}
execFileSync(process.execPath, [import.meta.filename, '--template', folder])
const { openDatabase } = await importBundled('open.ts', folder)
const statement = (text, ...values) => ({ text, values })

const schema = `
  do $$ begin create role anon; exception when duplicate_object then null; end $$;
  do $$ begin create role authenticated; exception when duplicate_object then null; end $$;
  do $$ begin create role service_role bypassrls; exception when duplicate_object then null; end $$;
  drop table if exists bench_todos;
  create table bench_todos (id bigint primary key generated always as identity, owner text, title text not null, done boolean not null default false,
    priority int not null, tags text[], details jsonb, created_at timestamptz not null default now());
  alter table bench_todos enable row level security;
  grant select, insert on bench_todos to authenticated;
  create policy "own rows" on bench_todos to authenticated
    using (owner = (select current_setting('request.jwt.claims')::json ->> 'sub')) with check (true);
  insert into bench_todos (owner, title, priority, tags, details)
    select case when n % 2 = 0 then 'ada' else 'bob' end, 'Title of row ' || n, n % 5, array['a', 'b'], '{"k": 1}' from generate_series(1, 2000) n;
  analyze bench_todos;`

const caller = {
  role: 'authenticated',
  claims: { sub: 'ada', role: 'authenticated', aud: 'authenticated', exp: 1_999_999_999, session_id: '6f9d4c0e-1f0a-4a37-8a53-0d6f3a2f7c11', email: 'ada@example.com' },
  request: { method: 'GET', path: '/bench_todos', headers: { 'user-agent': 'bench', accept: 'application/json' }, cookies: {} },
}
// The shape of PostgREST's own statement: rows as one JSON cell.
const select = statement(
  `with source as (select id, title, done, priority, tags, details, created_at from public.bench_todos where priority >= $1 order by id limit 20)
   select null::bigint as total, count(t) as page, coalesce(json_agg(t), '[]')::text as body from (select * from source) t`, 0)
const insert = statement(`insert into public.bench_todos (owner, title, priority) values ('ada', $1, 1)`, 'new')

async function rate(run, connections) {
  await Promise.all(Array.from({ length: connections }, run))
  const until = performance.now() + seconds * 1000
  const cpu = process.cpuUsage()
  let count = 0
  const latencies = []
  await Promise.all(Array.from({ length: connections }, async () => {
    while (performance.now() < until) {
      const startedAt = performance.now()
      await run()
      latencies.push(performance.now() - startedAt)
      count += 1
    }
  }))
  const used = process.cpuUsage(cpu)
  latencies.sort((a, b) => a - b)
  const at = (share) => latencies[Math.floor(latencies.length * share)].toFixed(2)
  return `${String(Math.round(count / seconds)).padStart(6)}/s  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms  cpu ${Math.round((used.user + used.system) / count)} us`
}

const rss = () => `${Math.round(process.memoryUsage().rss / 1e6)} MB`

async function measure(name, open) {
  const startedAt = performance.now()
  const database = await open()
  console.log(`${name}: open ${Math.round(performance.now() - startedAt)} ms, resident ${rss()}`)
  await database.script('postgres', schema)
  try {
    for (const connections of [1, 8, 64]) console.log(`  20 rows, ${String(connections).padStart(2)} at a time  ${await rate(() => database.batchAsCaller(caller, [select], { readOnly: true }), connections)}`)
    for (const connections of [1, 8]) console.log(`  insert,  ${String(connections).padStart(2)} at a time  ${await rate(() => database.batchAsCaller(caller, [insert]), connections)}`)
    console.log(`  transaction of 2 selects, 8 at a time  ${await rate(() => database.asCaller(caller, async (tx) => { await tx.raw(select); await tx.raw(select) }), 8)}`)
    console.log(`  resident after the work ${rss()}`)
  } finally {
    await database.script('postgres', 'drop table bench_todos')
    await database.close()
  }
}

try {
  const given = process.argv.find((word) => word.startsWith('postgres'))
  for (const durability of ['fsync', 'os'])
    await measure(`embedded, durability ${durability}`, () => openDatabase({ engine: 'pglite', dataDir: join(folder, `data-${durability}`), template: join(folder, 'template.tar.gz'), durability }))
  if (given) await measure('Postgres', () => openDatabase({ engine: 'postgres', url: given }))
  else console.log('Postgres: no URL given, not measured')
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exit(0)
