import { keyColumns } from '#features/data/description/relations.ts'
import type { RelationDescription } from '#features/data/description/description.ts'
import type { Row } from './row.ts'

/** Where in the data area an address points. */
export interface DataAddress {
  schema?: string
  relation?: string
  /** Key values in key order, or the form for a new row. */
  record?: { key: string[] } | 'new'
}

/** `/data/public/tickets/42`; the values of a composite key are joined by commas. */
export function dataPath(schema: string, relation: string, record?: readonly string[] | 'new'): string {
  const base = `/data/${encodeURIComponent(schema)}/${encodeURIComponent(relation)}`
  if (record === undefined) return base
  return `${base}/${record === 'new' ? 'new' : writeKey(record)}`
}

/** `/call/public/close_ticket` */
export const callPath = (schema: string, name: string): string => `/call/${encodeURIComponent(schema)}/${encodeURIComponent(name)}`

/** Reads the parts of `/call/:schema/:name`, as the browser holds them. */
export const readCallPath = (schema: string, name: string): { schema: string; name: string } => ({ schema: decode(schema), name: decode(name) })

/** Reads a path as the browser holds it: a decoded one could not tell a comma between values from one inside a value. */
export function readDataPath(pathname: string): DataAddress {
  const [, , schema, relation, record] = pathname.split('/')
  return {
    ...(schema ? { schema: decode(schema) } : {}),
    ...(relation ? { relation: decode(relation) } : {}),
    ...(record ? { record: record === 'new' ? 'new' as const : { key: record.split(',').map(decode) } } : {}),
  }
}

/** The values that address the row, in key order; undefined when the relation has no key or the row does not hold it. */
export function keyOf(relation: RelationDescription, row: Row): string[] | undefined {
  const values = keyColumns(relation)?.map((column) => row[column])
  return values?.every((value) => value !== null && value !== undefined) === true ? values.map(String) : undefined
}

// A row whose key is the word `new` keeps an address of its own.
function writeKey(key: readonly string[]): string {
  const written = key.map(encodeURIComponent).join(',')
  return written === 'new' ? '%6Eew' : written
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
