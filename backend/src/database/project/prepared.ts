import { createHash } from 'node:crypto'
import type { Database } from '#database/database.ts'
import { schemaParts } from '#database/schema/bootstrap.ts'
import { sql } from '#database/sql.ts'
import history from './history.sql'
import type { LoadOptions } from './load-project.ts'
import { readProjectFiles, readSqlFile } from './project-files.ts'

/** One hash over all that `bootstrap` and `loadProject` work from: the box's own schema, the project's files, its settings. */
export function stampOf({ folder, ...settings }: Omit<LoadOptions, 'onFile'>): string {
  const { roles, migrations, seeds } = readProjectFiles({ folder, ...settings })
  const files = [...(roles ? [roles] : []), ...migrations, ...seeds].map((file) => [file.name, readSqlFile(file)])
  return createHash('sha256').update(JSON.stringify([schemaParts, history, files, settings])).digest('hex')
}

// What anybody may have changed since: then the long way is taken, which mends it.
const leftAsItWas = sql`
  (select pg_catalog.string_agg(version, ',' order by version) from supabase_migrations.schema_migrations)
    || (select seeded_at from _portico.project_load)
    || coalesce((select pg_catalog.string_agg(id, ',' order by id) from storage.buckets), '')`

/** Whether an earlier start has brought this database to the very state that this stamp stands for. */
export async function isPrepared(database: Database, stamp: string): Promise<boolean> {
  try {
    const { prepared } = await database.asAdmin('postgres', (tx) => tx.one<{ prepared: boolean }>(sql`
      select exists (select from _portico.prepared where stamp = ${stamp} and left_as = ${leftAsItWas}) as prepared`))
    return prepared
  } catch {
    // Never prepared: the tables that would tell are not there. What else is wrong, preparing finds too, and says.
    return false
  }
}

/** Notes that the database is in the state the stamp stands for, so that the next start can go straight to serving. */
export async function notePrepared(database: Database, stamp: string): Promise<void> {
  await database.asAdmin('postgres', async (tx) => {
    await tx.execute(sql`
      create table if not exists _portico.prepared (
        only_row boolean primary key default true check (only_row),
        stamp text not null,
        left_as text
      )`)
    await tx.execute(sql`
      insert into _portico.prepared (stamp, left_as) values (${stamp}, ${leftAsItWas})
      on conflict (only_row) do update set stamp = excluded.stamp, left_as = excluded.left_as`)
  })
}
