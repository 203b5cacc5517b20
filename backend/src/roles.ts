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
