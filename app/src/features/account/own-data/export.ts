import type { AppError } from '#api/app-error.ts'
import type { Client, User } from '#api/client.ts'
import { toAppError, unwrap } from '#api/unwrap.ts'
import type { Grant, Happening, OwnSession, Reference } from '#features/account/queries.ts'

/** Where the export is. */
export interface ExportProgress {
  /** Steps done, of `steps`. */
  done: number
  steps: number
  /** The table being read; undefined for the account itself. */
  table: Reference | undefined
  rows: number
}

export interface ExportResult {
  file: Blob
  /** What could not be read, by its name in the file. */
  failed: readonly string[]
  /** Tables with more rows than the file takes. */
  cut: readonly Reference[]
}

/** What only pages of this area know how to read; null for what the project does not offer. */
export interface ExportReaders {
  user: () => Promise<User>
  sessions: (() => Promise<readonly OwnSession[]>) | null
  activity: (() => Promise<readonly Happening[]>) | null
  apps: () => Promise<readonly Grant[] | null>
}

interface ExportWish {
  client: Client
  project: { name: string; url: string }
  readers: ExportReaders
  tables: readonly Reference[]
  signal: AbortSignal
  onProgress: (progress: ExportProgress) => void
  /** For tests. */
  now?: () => Date
}

export const pageRows = 500
export const maxRows = 100_000

const nameOf = ({ schema, table, column }: Reference): string => `${schema}.${table} (${column})`
/** The text of a value two steps deep in the file. */
const text = (value: unknown): string => JSON.stringify(value, null, 2).replaceAll('\n', '\n  ')

/**
 * Writes one JSON file of what the account holds and, of the tables wished for, the rows whose column is the person: as they
 * may read them, page by page, so that no table has to fit into memory at once. What cannot be read is named in the file.
 *
 * @throws AbortError when `signal` says so, AppError when not even the account can be read.
 */
export async function writeExport({ client, project, readers, tables, signal, onProgress, now = () => new Date() }: ExportWish): Promise<ExportResult> {
  const failed: { what: string; why: string }[] = []
  const parts: BlobPart[] = []
  const steps = tables.length + 1
  onProgress({ done: 0, steps, table: undefined, rows: 0 })

  const user = await readers.user()
  const attempt = async <T>(what: string, read: (() => Promise<T>) | null): Promise<T | null> => {
    signal.throwIfAborted()
    try {
      return read && (await read())
    } catch (failure) {
      failed.push({ what, why: reason(toAppError(failure)) })
      return null
    }
  }
  const head = { format: 'portico-account-export', version: 1, exported_at: now().toISOString(), project, account: user }
  parts.push(`${JSON.stringify(head, null, 2).replace(/\n\}$/, '')}`)
  for (const what of ['sessions', 'activity', 'apps'] as const) {
    const found = await attempt<unknown>(what, readers[what])
    if (found !== null) parts.push(`,\n  "${what}": ${text(found)}`)
  }

  parts.push(',\n  "rows": [')
  const cut: Reference[] = []
  let isFirst = true
  for (const [index, reference] of tables.entries()) {
    const read = await attempt(nameOf(reference), () =>
      readRows(client, { reference, userId: user.id, signal, onRows: (rows) => onProgress({ done: index + 1, steps, table: reference, rows }) }))
    if (!read) continue
    if (read.isCut) cut.push(reference)
    const { schema, table, column } = reference
    parts.push(`${isFirst ? '' : ','}\n    {"schema": ${JSON.stringify(schema)}, "table": ${JSON.stringify(table)}, "column": ${JSON.stringify(column)}, "complete": ${!read.isCut}, "rows": [`, read.pages, ']}')
    isFirst = false
  }
  parts.push(`\n  ],\n  "not_read": ${text(failed)}\n}\n`)
  signal.throwIfAborted()
  return { file: new Blob(parts, { type: 'application/json' }), failed: failed.map(({ what }) => what), cut }
}

const reason = (error: AppError): string => (error.code === '' ? error.kind : error.code)

interface RowWish {
  reference: Reference
  userId: string
  signal: AbortSignal
  onRows: (count: number) => void
}

// A Blob of each page: the browser may put it on disk, which it does not do with text.
async function readRows(client: Client, { reference: { schema, table, column }, userId, signal, onRows }: RowWish): Promise<{ pages: Blob; isCut: boolean }> {
  const pages: BlobPart[] = []
  let count = 0
  onRows(0)
  for (;;) {
    signal.throwIfAborted()
    const request = client.schema(schema).from(table).select('*').eq(column, userId).range(count, count + pageRows - 1).abortSignal(signal)
    const rows = (await unwrap(request)) as unknown[]
    if (rows.length > 0) pages.push(new Blob([count === 0 ? '\n      ' : ',\n      ', rows.map((row) => JSON.stringify(row)).join(',\n      ')]))
    count += rows.length
    onRows(count)
    // A project may give fewer rows at once than asked for: only an empty page is the end.
    if (rows.length === 0) return { pages: new Blob(pages), isCut: false }
    if (count >= maxRows) return { pages: new Blob(pages), isCut: true }
  }
}

/** Hands a file to the browser. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has its own hold on the file once it has begun.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
