import type { Auth } from './auth.ts'
import { reply, type Call } from './call.ts'
import { requireAdmin } from './caller.ts'
import { invalidRequest } from './errors.ts'
import { pageHeaders, readPage } from './pages.ts'
import { userBody } from './user.ts'
import { countUsers, listUsers } from './users.queries.ts'

function readDirection(query: URLSearchParams): boolean {
  const [field = 'created_at', direction = 'desc'] = (query.get('sort') ?? 'created_at desc').split(' ', 2)
  if (field !== 'created_at') throw invalidRequest(`Bad Sort Parameters: bad field for sort '${field}'`)
  if (!/^(asc|desc)$/i.test(direction)) throw invalidRequest(`Bad Sort Parameters: bad direction for sort '${direction}', only 'asc' and 'desc' allowed`)
  return direction.toLowerCase() === 'asc'
}

/** `GET /admin/users?page&per_page&filter&sort`, newest first. Headers `X-Total-Count` and `Link`. */
export async function listAdminUsers(auth: Auth, call: Call): Promise<Response> {
  await requireAdmin(auth, call)
  const isAscending = readDirection(call.query)
  const page = readPage(call.query)
  const filter = call.query.get('filter') ?? ''
  const { users, total } = await auth.transact(
    async (tx) => ({ users: await listUsers(tx, { ...page, filter, isAscending }), total: await countUsers(tx, filter) }),
    { readOnly: true },
  )
  return reply(call, { users: users.map(userBody), aud: auth.settings.audience }, { headers: pageHeaders(call, { ...page, total }) })
}
