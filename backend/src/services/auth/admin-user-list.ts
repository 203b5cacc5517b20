import type { Auth } from './auth.ts'
import { reply, type Call } from './call.ts'
import { requireAdmin } from './caller.ts'
import { invalidRequest } from './errors.ts'
import { userBody } from './user.ts'
import { countUsers, listUsers } from './users.queries.ts'

const defaultPerPage = 50

function readCount(query: URLSearchParams, name: string, fallback: number): number {
  const given = query.get(name) ?? ''
  if (given === '') return fallback
  if (!/^\d{1,9}$/.test(given)) throw invalidRequest(`Bad Pagination Parameters: strconv.ParseUint: parsing "${given}": invalid syntax`)
  return Number(given) || fallback
}

function readDirection(query: URLSearchParams): boolean {
  const [field = 'created_at', direction = 'desc'] = (query.get('sort') ?? 'created_at desc').split(' ', 2)
  if (field !== 'created_at') throw invalidRequest(`Bad Sort Parameters: bad field for sort '${field}'`)
  if (!/^(asc|desc)$/i.test(direction)) throw invalidRequest(`Bad Sort Parameters: bad direction for sort '${direction}', only 'asc' and 'desc' allowed`)
  return direction.toLowerCase() === 'asc'
}

// Relative, as the official client expects: it reads the page numbers out of it.
function pageLinks(call: Call, { page, pages }: { page: number; pages: number }): string {
  const to = (number: number, rel: string): string => {
    const query = new URLSearchParams(call.query)
    query.set('page', String(number))
    query.sort()
    return `<${call.context.path}?${query}>; rel="${rel}"`
  }
  return [...(pages > page ? [to(page + 1, 'next')] : []), to(pages, 'last')].join(', ')
}

/** `GET /admin/users?page&per_page&filter&sort`, newest first. Headers `X-Total-Count` and `Link`. */
export async function listAdminUsers(auth: Auth, call: Call): Promise<Response> {
  await requireAdmin(auth, call)
  const isAscending = readDirection(call.query)
  const page = readCount(call.query, 'page', 1)
  const perPage = readCount(call.query, 'per_page', defaultPerPage)
  const filter = call.query.get('filter') ?? ''
  const { users, total } = await auth.transact(
    async (tx) => ({ users: await listUsers(tx, { page, perPage, filter, isAscending }), total: await countUsers(tx, filter) }),
    { readOnly: true },
  )
  const pages = Math.ceil(total / perPage)
  return reply(call, { users: users.map(userBody), aud: auth.settings.audience }, {
    headers: { 'x-total-count': String(total), link: pageLinks(call, { page, pages }) },
  })
}
