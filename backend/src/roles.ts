import type { Clock } from '#contract/clock.ts'
import type { Database } from '#database/database.ts'
import { sql } from '#database/sql.ts'

const refreshMs = 5000

const listRoles = (database: Database): Promise<readonly string[]> =>
  database.asAdmin('postgres', async (tx) => {
    const rows = await tx.many<{ name: string }>(sql`
      select rolname::text as name
      from pg_catalog.pg_roles
      where rolname <> 'authenticator' and pg_catalog.pg_has_role('authenticator', oid, 'member')`)
    return rows.map((row) => row.name)
  })

/**
 * Makes the check of which roles a request may take: those that `authenticator` is a member of, as on the hosted backend.
 * A role that is not known is looked up again, at most every five seconds, since a migration may have made it meanwhile.
 */
export async function createRoleCheck(database: Database, clock: Clock): Promise<(role: string) => boolean | Promise<boolean>> {
  let known = new Set(await listRoles(database))
  let readAt = clock.now()
  return (role) => {
    if (known.has(role)) return true
    if (clock.now() - readAt < refreshMs) return false
    readAt = clock.now()
    return listRoles(database).then((roles) => {
      known = new Set(roles)
      return known.has(role)
    })
  }
}

/** Lists what `alter role authenticator set …` says, one `name=value` each; what is said for this database alone comes last. */
export const listAuthenticatorSettings = (database: Database): Promise<readonly string[]> =>
  database.asAdmin('postgres', async (tx) => {
    const rows = await tx.many<{ setting: string }>(sql`
      select unnest(s.setconfig) as setting
      from pg_catalog.pg_db_role_setting s
      join pg_catalog.pg_roles r on r.oid = s.setrole
      where r.rolname = 'authenticator'
        and (s.setdatabase = 0 or s.setdatabase = (select d.oid from pg_catalog.pg_database d where d.datname = current_database()))
      order by s.setdatabase`)
    return rows.map((row) => row.setting)
  })
