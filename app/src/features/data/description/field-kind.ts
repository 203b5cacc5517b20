import type { ArgumentDescription, ColumnDescription } from './description.ts'

/** How a value is read, shown, compared and edited. */
export type FieldKind =
  | 'text'
  | 'integer'
  | 'decimal'
  | 'float'
  | 'boolean'
  | 'enum'
  | 'date'
  | 'time'
  | 'timestamp'
  | 'timestamptz'
  | 'uuid'
  | 'json'
  | 'binary'
  | 'range'
  | 'search'
  | 'composite'
  | 'other'

const kinds: Record<string, FieldKind> = {
  text: 'text', varchar: 'text', bpchar: 'text', citext: 'text', name: 'text', char: 'text',
  int2: 'integer', int4: 'integer', int8: 'integer', oid: 'integer',
  numeric: 'decimal', float4: 'float', float8: 'float',
  bool: 'boolean', uuid: 'uuid', json: 'json', jsonb: 'json', bytea: 'binary', tsvector: 'search',
  date: 'date', time: 'time', timetz: 'time', timestamp: 'timestamp', timestamptz: 'timestamptz',
}

/** The kind of one value of the column; for an array, of one element. */
export function kindOf(column: Pick<ColumnDescription | ArgumentDescription, 'base' | 'enum'> & Pick<ColumnDescription, 'class'>): FieldKind {
  if (column.enum !== undefined || column.class === 'enum') return 'enum'
  if (column.class === 'composite') return 'composite'
  if (column.class === 'range' || column.class === 'multirange') return 'range'
  return kinds[column.base] ?? 'other'
}

export const isNumeric = (kind: FieldKind): boolean => kind === 'integer' || kind === 'decimal' || kind === 'float'
export const isMoment = (kind: FieldKind): boolean => kind === 'date' || kind === 'timestamp' || kind === 'timestamptz'

// JSON numbers lose digits beyond 2^53 and trailing zeros in a browser; these are asked for as text.
export const isReadAsText = (column: ColumnDescription): boolean => column.array !== true && (column.base === 'int8' || column.base === 'numeric')

const longNames = /(^|_)(body|content|description|notes?|comments?|message|bio|summary|details|text|markdown|html|reason|answer|question)$/i

/** Text that wants several lines, judged by its name: the type says nothing about it. */
export const isLongText = (column: ColumnDescription): boolean =>
  column.array !== true && kindOf(column) === 'text' && column.base === 'text' && longNames.test(column.name)
