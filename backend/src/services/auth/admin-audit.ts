import { listAuditEntries } from './audit-log.queries.ts'
import type { Auth } from './auth.ts'
import { reply, type Call } from './call.ts'
import { requireAdmin } from './caller.ts'
import { invalidRequest } from './errors.ts'
import { isoMoment } from './moments.ts'
import { pageHeaders, readPage } from './pages.ts'

/** What `?query=<scope>:<text>` looks into. */
const scopes: Readonly<Record<string, readonly string[]>> = {
  author: ['actor_username', 'actor_name'],
  action: ['action'],
  type: ['log_type'],
}

function readSearch(query: string): { members: readonly string[]; text: string } {
  if (query === '') return { members: [], text: '' }
  const at = query.indexOf(':')
  const scope = at < 0 ? query : query.slice(0, at)
  const members = Object.hasOwn(scopes, scope) ? scopes[scope] : undefined
  if (at < 0 || !members) throw invalidRequest(`Invalid query scope: ${query}`)
  return { members, text: query.slice(at + 1) }
}

/** `GET /admin/audit?query=author:ada&page&per_page`: who did what, newest first. @see supabase/auth internal/api/audit.go */
export async function listAudit(auth: Auth, call: Call): Promise<Response> {
  await requireAdmin(auth, call)
  const page = readPage(call.query)
  const search = readSearch(call.query.get('query') ?? '')
  const { entries, total } = await auth.transact((tx) => listAuditEntries(tx, { ...page, ...search }), { readOnly: true })
  const body = entries.map(({ id, payload, createdAt, ipAddress }) => ({ id, payload, created_at: isoMoment(createdAt), ip_address: ipAddress }))
  return reply(call, body, { headers: pageHeaders(call, { ...page, total }) })
}
