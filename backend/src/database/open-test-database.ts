import type { Database } from './database.ts'
import type { PgliteOptions } from './engine-options.ts'
import { openDatabase } from './open.ts'

const bareRoles = `
  create role anon nologin noinherit;
  create role authenticated nologin noinherit;
  create role service_role nologin noinherit bypassrls;
  create role authenticator login noinherit;
  grant anon, authenticated, service_role to authenticator;
  create schema extensions;
  grant usage on schema public, extensions to anon, authenticated, service_role;`

/** Opens a database in memory for one test file: bare Postgres with the API roles. Close it in `afterAll`. */
export async function openTestDatabase(options: PgliteOptions = {}): Promise<Database> {
  const database = await openDatabase({ engine: 'pglite', ...options })
  if (!options.template) await database.script('postgres', bareRoles)
  return database
}
