import { tableAt } from './table-at.ts'
import { queryOptions } from '@tanstack/react-query'
import { unwrap } from '#api/unwrap.ts'
import { keyColumns, type Relation } from '#features/data/description/relations.ts'
import type { Source } from '#features/data/source.ts'
import { applyClauses, type Filterable } from '#features/data/view/apply.ts'
import type { Clause } from '#features/data/view/clause.ts'
import { arrayLiteral, columnName } from '#features/data/view/wire-text.ts'
import { keyOf } from './address.ts'
import { noteOwnWrite } from './own-writes.ts'
import type { Row } from './row.ts'
import { relationKey } from './rows-query.ts'

export interface RecordWanted {
  relation: Relation
  key: readonly string[]
  select: string
}

/** One row by its key; null when there is none the person may see. */
export const recordQuery = (source: Source, wanted: RecordWanted) =>
  queryOptions({
    queryKey: [...relationKey(source, wanted.relation), 'record', wanted.key, wanted.select] as const,
    queryFn: () => readRecord(source, wanted),
    staleTime: 15_000,
  })

export async function readRecord({ client }: Source, { relation, key, select }: RecordWanted): Promise<Row | null> {
  const request = byKey(tableAt(client, relation).select(select), relation, key)
  const rows = (await unwrap(request.limit(1))) as unknown as Row[]
  return rows[0] ?? null
}

/** Adds the comparison with the key's values. A key of the wrong length finds nothing rather than too much. */
export function byKey<Request extends Filterable>(request: Request, relation: Relation, key: readonly string[]): Request {
  const columns = keyColumns(relation) ?? []
  if (columns.length === 0 || columns.length !== key.length) throw new Error(`${relation.name} has no row with a key of ${key.length} values`)
  return applyClauses(request, keyClauses(columns, key))
}

const keyClauses = (columns: readonly string[], key: readonly string[]): Clause[] =>
  columns.map((column, index) => ({ column: columnName(column), operator: 'eq', value: key[index] ?? '' }))

/** What became of a write that asked for its rows back. */
export type Written =
  | { outcome: 'done'; row: Row }
  /** No row came back though nothing failed: the policies let none through. */
  | { outcome: 'refused' }

export type Changes = Readonly<Record<string, unknown>>

/** Adds a row. Where the role may add but not look, nothing comes back and that is no refusal. */
export async function insertRecord({ client }: Source, relation: Relation, { values, select }: { values: Changes; select: string }): Promise<Row | undefined> {
  const request = tableAt(client, relation).insert({ ...values })
  if (!relation.can.select) {
    await unwrap(request)
    return undefined
  }
  const rows = (await unwrap(request.select(select))) as unknown as Row[]
  const key = rows[0] && keyOf(relation, rows[0])
  if (key) noteOwnWrite(relation, key)
  return rows[0]
}

export interface Update extends RecordWanted {
  changes: Changes
  /** The row is changed only while this column still holds this value; null: while it is not set. */
  unless?: { column: string; value: string | null } | undefined
}

export async function updateRecord({ client }: Source, { relation, key, select, changes, unless }: Update): Promise<Written> {
  const request = byKey(tableAt(client, relation).update({ ...changes }), relation, key)
  noteOwnWrite(relation, key)
  const guarded = unless ? request.filter(columnName(unless.column), unless.value === null ? 'is' : 'eq', unless.value ?? 'null') : request
  const rows = (await unwrap(guarded.select(select))) as unknown as Row[]
  return rows[0] ? { outcome: 'done', row: rows[0] } : { outcome: 'refused' }
}

const deletedAtOnce = 50

/** Deletes the rows of these keys, some at a time, and gives the keys that are gone. The others were refused, or gone before. */
export async function deleteRecords({ client }: Source, relation: Relation, keys: readonly (readonly string[])[]): Promise<string[][]> {
  const columns = keyColumns(relation) ?? []
  if (columns.length === 0) throw new Error(`${relation.name} has no key to delete by`)
  const gone: string[][] = []
  for (let from = 0; from < keys.length; from += deletedAtOnce) {
    const some = keys.slice(from, from + deletedAtOnce)
    for (const key of some) noteOwnWrite(relation, key)
    const request = tableAt(client, relation).delete()
    const rows = (await unwrap(applyClauses(request, [anyOf(columns, some)]).select(columns.map(columnName).join(',')))) as unknown as Row[]
    for (const row of rows) gone.push(keyOf(relation, row) ?? [])
  }
  return gone
}

/** The rows of these keys. */
export function anyOf(columns: readonly string[], keys: readonly (readonly string[])[]): Clause {
  const [only] = columns
  if (columns.length === 1 && only !== undefined) return { column: columnName(only), operator: 'in', items: keys.map(([value]) => value ?? '') }
  return { any: keys.map((key) => ({ all: keyClauses(columns, key) })) }
}

/** The rows that point at this one through a foreign key. */
export const pointingAt = (reference: { columns: string[]; to: string[] }, row: Row): Clause[] =>
  reference.columns.map((column, index) => {
    const value = row[reference.to[index] ?? '']
    return value === null || value === undefined
      ? { column: columnName(column), operator: 'in', items: [] }
      : { column: columnName(column), operator: 'eq', value: Array.isArray(value) ? arrayLiteral(value.map(String)) : String(value) }
  })
