import type { ChangeMessage } from '#services/realtime/change-feed.ts'
import type { ChangeType } from './asked.ts'
import { jsonMembers, jsonObject } from './json-members.ts'
import { largestRecordBytes, type LoggedChange } from './log.queries.ts'
import type { TableColumn, TableFacts } from './tables.queries.ts'

const types: Readonly<Record<string, ChangeType>> = { I: 'INSERT', U: 'UPDATE', D: 'DELETE' }
const longestShortBytes = 64

export const typeOf = (change: LoggedChange): ChangeType => types[change.action] as ChangeType

/** What of a change a group of subscriptions may be told. */
export interface View {
  table: TableFacts
  role: string
  select: readonly string[] | null
}

export interface CommittedChange {
  change: LoggedChange
  committedAt: string
}

const isShort = (value: string): boolean => Buffer.byteLength(value) <= longestShortBytes

// As the hosted server has them: hexadecimal digits alone.
const withoutPrefix = (value: string): string => (value.startsWith('"\\\\x') ? `"${value.slice(4)}` : value)

function cut(record: string | null, columns: readonly TableColumn[], isTooLarge: boolean): string {
  const members = jsonMembers(record ?? '{}')
  const kept: [string, string][] = []
  for (const { name, isBytes } of columns) {
    const value = members.get(name)
    if (value !== undefined && (!isTooLarge || isShort(value))) kept.push([name, isBytes ? withoutPrefix(value) : value])
  }
  return kept.length === 0 ? 'null' : jsonObject(kept)
}

const isWhole = (table: TableFacts, columns: readonly TableColumn[]): boolean =>
  columns.length === table.columns.length && columns.every(({ isBytes }) => !isBytes)

function recordOf(record: string | null, table: TableFacts, { columns, isTooLarge }: { columns: readonly TableColumn[]; isTooLarge: boolean }): string {
  return record !== null && !isTooLarge && isWhole(table, columns) ? record : cut(record, columns, isTooLarge)
}

/** Why a role is not told what changed, if so. */
function refusalOf({ table, role }: View, type: ChangeType): string | undefined {
  if (type === 'DELETE') return undefined
  const key = table.columns.filter(({ isKey }) => isKey)
  if (key.length === 0) return 'Error 400: Bad Request, no primary key'
  const readable = table.roles[role]?.readable ?? []
  return key.every(({ name }) => readable.includes(name)) ? undefined : 'Error 401: Unauthorized'
}

/** Whether all who asked are told no more than why they are not told, whatever their filters and policies. */
export const isRefused = (view: View, type: ChangeType): boolean => refusalOf(view, type) !== undefined

/** The columns a view shows, in the table's order. */
function columnsOf({ table, role, select }: View): TableColumn[] {
  const readable = new Set(table.roles[role]?.readable)
  return table.columns.filter(({ name, isKey, isShown }) => isShown && readable.has(name) && (select === null || isKey || select.includes(name)))
}

/**
 * Writes a change as the `data` of its message.
 *
 * @see supabase/realtime lib/realtime/tenants/repo/migrations, apply_rls
 */
export function writeChange({ change, committedAt }: CommittedChange, view: View): ChangeMessage {
  const { table } = view
  const type = typeOf(change)
  const head = `"schema":${JSON.stringify(table.schema)},"table":${JSON.stringify(table.name)},"commit_timestamp":"${committedAt}","type":"${type}"`
  const refusal = refusalOf(view, type)
  if (refusal !== undefined) return { type, json: `{${head},"columns":[],"record":{},"errors":[${JSON.stringify(refusal)}]}` }
  const columns = columnsOf(view)
  const ofIdentity = columns.filter(({ isIdentity, isKey }) => isIdentity && !(type === 'DELETE' && table.hasPolicies && !isKey))
  const bytes = (type === 'DELETE' ? 0 : change.recordBytes) + (table.isFullIdentity ? change.oldRecordBytes : 0)
  const isTooLarge = bytes > largestRecordBytes
  const parts = [head, `"columns":${JSON.stringify(columns.map((column) => ({ name: column.name, type: column.type })))}`]
  if (type !== 'DELETE') parts.push(`"record":${recordOf(change.record, table, { columns, isTooLarge })}`)
  if (type !== 'INSERT') parts.push(`"old_record":${recordOf(change.oldRecord, table, { columns: ofIdentity, isTooLarge })}`)
  parts.push(`"errors":${isTooLarge ? '["Error 413: Payload Too Large"]' : 'null'}`)
  return { type, json: `{${parts.join(',')}}` }
}
