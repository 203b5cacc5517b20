import type { Caller } from '#contract/caller.ts'
import type { AdminRole, TransactionOptions } from './database.ts'
import { DatabaseError } from './database-error.ts'
import { identifier, type Sql } from './sql.ts'
import { makeStep, type Step } from './wire/request.ts'

/** Under what a transaction runs; becomes transaction-local settings. */
export interface Identity {
  role: string
  claims: string
  method: string
  path: string
  headers: string
  cookies: string
  searchPath: string
}

// As the hosted backend sets it for the database, and for its two service roles by `alter role … set`, which
// a session that only switches its role would not get.
const databaseSearchPath = '"$user", public, extensions'
const adminSearchPaths: Partial<Record<AdminRole, string>> = { supabase_auth_admin: 'auth', supabase_storage_admin: 'storage' }

const searchPathText = (schemas: readonly string[]): string => schemas.map((schema) => identifier(schema).text).join(', ')

export function callerIdentity(caller: Caller, options: TransactionOptions): Identity {
  const { request } = caller
  return {
    role: caller.role,
    claims: JSON.stringify(caller.claims),
    method: request?.method ?? '',
    path: request?.path ?? '',
    headers: request ? JSON.stringify(request.headers) : '{}',
    cookies: request ? JSON.stringify(request.cookies) : '{}',
    searchPath: options.searchPath ? searchPathText(options.searchPath) : databaseSearchPath,
  }
}

export function adminIdentity(role: AdminRole, options: TransactionOptions): Identity {
  const searchPath = options.searchPath ? searchPathText(options.searchPath) : (adminSearchPaths[role] ?? databaseSearchPath)
  return { role, claims: '', method: '', path: '', headers: '{}', cookies: '{}', searchPath }
}

/** The planning scope of statements run under an identity. */
export const scopeOf = (identity: Identity): string => `${identity.role}|${identity.searchPath}`

const identityText = `select set_config('role', $1, true), set_config('request.jwt.claims', $2, true), set_config('request.method', $3, true), set_config('request.path', $4, true), set_config('request.headers', $5, true), set_config('request.cookies', $6, true), set_config('search_path', $7, true)`

// They would undo what the identity sets.
const reservedSettings = new Set(['role', 'session_authorization', 'search_path', 'transaction_read_only'])

function extraSettings(options: TransactionOptions, timeoutMs: number | undefined): [string, string][] {
  const extra = Object.entries(options.settings ?? {})
  const reserved = extra.find(([name]) => reservedSettings.has(name.toLowerCase()) || name.toLowerCase().startsWith('request.'))
  if (reserved) throw new DatabaseError({ sqlstate: '22023', message: `setting "${reserved[0]}" is the database layer's own` })
  if (timeoutMs !== undefined) extra.push(['statement_timeout', String(timeoutMs)])
  if (options.readOnly) extra.push(['transaction_read_only', 'on'])
  return extra
}

/** The first step of a transaction: role, claims, request facts, search_path and the rest, all local to the transaction. */
export function settingsStep(identity: Identity, options: TransactionOptions, timeoutMs: number | undefined): Step {
  const values: Sql['values'][number][] = [
    identity.role, identity.claims, identity.method, identity.path, identity.headers, identity.cookies, identity.searchPath,
  ]
  let text = identityText
  for (const [name, value] of extraSettings(options, timeoutMs)) {
    values.push(name, value)
    text += `, set_config($${values.length - 1}, $${values.length}, true)`
  }
  return makeStep({ text, values }, '')
}

const knownCallerRoles: ReadonlySet<string> = new Set(['anon', 'authenticated', 'service_role'])

/** Whether a role must be asked about before a caller may have it. */
export const needsRoleCheck = (role: string): boolean => !knownCallerRoles.has(role)

/**
 * Asks whether a caller may run as a role. The session itself may become anything, so what the hosted backend's `authenticator`
 * login could not become is refused here: superusers, roles it is no member of, and `none`, which would mean the session's own.
 */
export const roleCheckStep = (role: string): Step => ({
  text: `select r.rolname <> 'none' and not r.rolsuper
      and coalesce(pg_has_role((select a.oid from pg_roles a where a.rolname = 'authenticator'), r.oid, 'member'), true)
    from pg_roles r where r.rolname = $1`,
  values: [role],
  scope: '',
})

export const roleRefused = (role: string): DatabaseError =>
  new DatabaseError({ sqlstate: '42501', message: `permission denied to set role "${role}"` })

export const roleMissing = (role: string): DatabaseError =>
  new DatabaseError({ sqlstate: '22023', message: `role "${role}" does not exist` })
