import { onceAsActor, type Actor } from './actor.ts'
import { parameterInvalid } from './errors.ts'
import { listBelow, listLevel, searchObjects, walkLevel, type Page, type Search } from './listing.queries.ts'
import { checkBucketName } from './names.ts'
import type { StorageParts } from './parts.ts'
import type { ListedObject, ListedObjectV2 } from './wire.ts'

const maxPage = 1000
// What the function of the database that lists can count to.
const mostCounted = 2_147_483_647

/** Lists one level below a folder: its files, and its folders as names alone. Those that policies hide are left out. */
export async function listFolder(parts: StorageParts, actor: Actor, { bucketId, ...search }: Partial<Search> & { bucketId: string; prefix: string }): Promise<ListedObject[]> {
  checkBucketName(bucketId)
  const { prefix } = search
  const wanted: Search = {
    limit: Math.min(search.limit ?? 100, mostCounted),
    offset: Math.min(search.offset ?? 0, mostCounted),
    search: search.search ?? '',
    sortColumn: search.sortColumn ?? 'name',
    sortOrder: search.sortOrder ?? 'asc',
    prefix: prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`,
  }
  return onceAsActor(parts, actor, (tx) => searchObjects(tx, bucketId, wanted))
}

export interface PageRequest {
  bucketId: string
  prefix?: string | undefined
  /** At most, and without, 1000. */
  limit?: number | undefined
  /** `nextCursor` of the page before. */
  cursor?: string | undefined
  /** A name to begin behind, where there is no cursor. */
  startAfter?: string | undefined
  /** Whether what lies deeper is told as folders. */
  byFolder?: boolean | undefined
  sortColumn?: Page['sortColumn'] | undefined
  sortOrder?: Page['sortOrder'] | undefined
}

export interface ListedPage {
  hasNext: boolean
  nextCursor?: string
  nextCursorKey?: string
  folders: ListedObjectV2[]
  objects: ListedObjectV2[]
}

type Position = Pick<Page, 'after' | 'sortAfter'> & Partial<Pick<Page, 'sortColumn' | 'sortOrder'>>

// Each line a letter and what it stands for: last name, order, column, moment.
function encodeCursor({ after, sortOrder, sortColumn, sortAfter }: Position): string {
  const lines = [`l:${after}`, ...(sortOrder ? [`o:${sortOrder}`] : []), ...(sortColumn ? [`c:${sortColumn}`] : []), ...(sortAfter ? [`a:${sortAfter}`] : [])]
  return Buffer.from(lines.join('\n')).toString('base64')
}

const cursorInvalid = () => parameterInvalid('Invalid Parameter continuation token')

function decodeCursor(cursor: string): Position {
  const said = new Map<string, string>()
  for (const line of Buffer.from(cursor, 'base64').toString('utf8').split('\n')) {
    const [, letter, value] = /^([loca]):(.*)$/.exec(line) ?? []
    if (letter === undefined || value === undefined) throw cursorInvalid()
    said.set(letter, value)
  }
  const [order, column, moment] = [said.get('o'), said.get('c'), said.get('a')]
  const isKnown = (order === undefined || /^(asc|desc)$/.test(order)) && (column === undefined || /^(name|created_at|updated_at)$/.test(column))
  if (!isKnown || (moment !== undefined && Number.isNaN(Date.parse(moment)))) throw cursorInvalid()
  return { after: said.get('l') ?? '', sortAfter: moment ?? null, ...(order ? { sortOrder: order as Page['sortOrder'] } : {}), ...(column ? { sortColumn: column as Page['sortColumn'] } : {}) }
}

const asFolder = (folder: ListedObjectV2): ListedObjectV2 => ({ ...folder, name: folder.name.endsWith('/') ? folder.name : `${folder.name}/` })

function listerOf({ byFolder }: PageRequest, { sortColumn }: Page): typeof listBelow {
  if (!byFolder) return listBelow
  return sortColumn === 'name' ? walkLevel : listLevel
}

/**
 * Lists a page of everything below a prefix, by folder or not, behind a cursor.
 *
 * @throws `InvalidParameter` (400) for a cursor that is none.
 * @see supabase/storage src/storage/object.ts, `listObjectsV2`
 */
export async function listPage(parts: StorageParts, actor: Actor, request: PageRequest): Promise<ListedPage> {
  checkBucketName(request.bucketId)
  const limit = Math.min(request.limit ?? maxPage, maxPage)
  const from: Position = request.cursor ? decodeCursor(request.cursor) : { after: request.startAfter ?? '', sortAfter: null }
  const sortOrder = from.sortOrder ?? request.sortOrder
  const sortColumn = from.sortColumn ?? request.sortColumn
  // One more tells whether there is a next page.
  const page: Page = { prefix: request.prefix ?? '', limit: limit + 1, after: from.after, sortAfter: from.sortAfter, sortOrder: sortOrder ?? 'asc', sortColumn: sortColumn ?? 'name' }
  const found = await onceAsActor(parts, actor, (tx) => listerOf(request, page)(tx, request.bucketId, page))
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  const listed = { folders: shown.filter(({ id }) => id === null).map(asFolder), objects: shown.filter(({ id }) => id !== null) }
  if (found.length <= limit || !last) return { hasNext: false, ...listed }
  const sortAfter = sortColumn === 'created_at' || sortColumn === 'updated_at' ? last[sortColumn] : null
  const next: Position = { after: last.name, sortAfter, ...(sortOrder ? { sortOrder } : {}), ...(sortColumn ? { sortColumn } : {}) }
  return { hasNext: true, nextCursor: encodeCursor(next), nextCursorKey: last.name, ...listed }
}
