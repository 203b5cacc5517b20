import type { Row } from '#features/data/rows/row.ts'
import type { ColumnDescription, Description, RelationDescription } from './description.ts'

/** One relation the person named, since the project does not list its own. */
export interface NamedTable {
  schema: string
  name: string
}

const storageKey = (projectId: string) => `portico.named-tables.${projectId}`

/** The tables named on this machine for the project. */
export function readNamedTables(projectId: string): NamedTable[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey(projectId)) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isNamedTable) : []
  } catch {
    return []
  }
}

export function writeNamedTables(projectId: string, tables: readonly NamedTable[]): void {
  try {
    localStorage.setItem(storageKey(projectId), JSON.stringify(tables))
  } catch {
    return
  }
}

const isNamedTable = (value: unknown): value is NamedTable =>
  typeof value === 'object' && value !== null && typeof (value as NamedTable).schema === 'string' && typeof (value as NamedTable).name === 'string'

/** Puts relations known from their rows into one document. */
export function describeNamed(tables: readonly (NamedTable & { rows: readonly Row[] })[], role: string): Description {
  const schemas = [...new Set(tables.map(({ schema }) => schema))].map((schema) => ({
    name: schema,
    relations: tables.filter((table) => table.schema === schema).map(({ name, rows }) => describeRows(name, rows)),
  }))
  return { format: 1, fingerprint: '', server: { version: 0, role }, schemas }
}

/** What a handful of rows tell of their table. Rights stay unknown: each write is tried, and a refusal explained. */
export function describeRows(name: string, rows: readonly Row[]): RelationDescription {
  const names = [...new Set(rows.flatMap(Object.keys))]
  const columns = names.map((column) => describeValues(column, rows.map((row) => row[column])))
  return { name, kind: 'table', can: { select: true, insert: true, update: true, delete: true }, columns, ...(names.includes('id') ? { primary_key: ['id'] } : {}) }
}

function describeValues(name: string, values: readonly unknown[]): ColumnDescription {
  const given = values.filter((value) => value !== null && value !== undefined)
  const array = given.length > 0 && given.every((value) => Array.isArray(value) && value.every((item) => typeof item !== 'object'))
  const base = array ? baseOf(given.flat()) : baseOf(given)
  return { name, type: array ? `${base}[]` : base, base, can: 'siu', ...(array ? { array: true as const } : {}) }
}

const shapes: readonly [base: string, fits: (value: unknown) => boolean][] = [
  ['bool', (value) => typeof value === 'boolean'],
  ['int8', (value) => typeof value === 'number' && Number.isInteger(value)],
  ['float8', (value) => typeof value === 'number'],
  ['jsonb', (value) => typeof value === 'object'],
  ['uuid', (value) => typeof value === 'string' && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(value)],
  ['timestamptz', (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?([+-]\d{2}:\d{2}|Z)$/.test(value)],
  ['timestamp', (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?$/.test(value)],
  ['date', (value) => typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)],
]

const baseOf = (values: readonly unknown[]): string =>
  (values.length > 0 ? shapes.find(([, fits]) => values.every(fits))?.[0] : undefined) ?? 'text'
