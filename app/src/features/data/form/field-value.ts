import type { ColumnDescription } from '#features/data/description/description.ts'
import { kindOf } from '#features/data/description/field-kind.ts'

/**
 * What a control holds: text for all that is typed (numbers and JSON too, so that no digit is lost), the elements' texts
 * for an array, null for "not set". Undefined is "not given": the project fills it in.
 */
export type FieldValue = string | boolean | null | string[] | undefined

export type FieldValues = Record<string, FieldValue>

/** Whether an array's elements are typed one by one; other arrays are written as JSON. */
export const isList = (column: Pick<ColumnDescription, 'array' | 'base' | 'enum' | 'class'>): boolean =>
  column.array === true && !['json', 'composite', 'binary', 'range'].includes(kindOf(column))

/** Whether the control holds JSON text. */
export const isJsonText = (column: Pick<ColumnDescription, 'array' | 'base' | 'enum' | 'class'>): boolean =>
  !isList(column) && (column.array === true || kindOf(column) === 'json' || kindOf(column) === 'composite')

/** Whether this value of a column is written as JSON: always for some types, for an array only when elements are missing or nested. */
export const isHeldAsJson = (column: ColumnDescription, value: FieldValue): boolean =>
  typeof value === 'string' && (isJsonText(column) || isList(column))

/** The value of a row as its control holds it. */
export function fieldFromRow(column: ColumnDescription, value: unknown): FieldValue {
  if (value === null || value === undefined) return null
  if (isList(column)) return Array.isArray(value) && value.every((item) => typeof item !== 'object') ? value.map(String) : JSON.stringify(value)
  if (isJsonText(column)) return JSON.stringify(value, null, 2)
  switch (kindOf(column)) {
    case 'boolean': return value === true
    default: return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}

/** The control's value as the data API takes it. Only for values that passed their checks. */
export function fieldToWire(column: ColumnDescription, value: FieldValue): unknown {
  if (value === null || value === undefined || typeof value === 'boolean' || Array.isArray(value)) return value
  if (isHeldAsJson(column, value)) return JSON.parse(value) as unknown
  switch (kindOf(column)) {
    case 'integer': return Number.isSafeInteger(Number(value)) ? Number(value) : value.trim()
    // Numeric goes as text: a JSON number would lose digits.
    case 'decimal': case 'float': case 'uuid': return value.trim()
    default: return value
  }
}

export const sameField = (left: FieldValue, right: FieldValue): boolean =>
  left === right || (Array.isArray(left) && Array.isArray(right) && left.length === right.length && left.every((item, index) => item === right[index]))

/** Columns whose controls no longer hold what they opened with. */
export const changedColumns = (opened: FieldValues, now: FieldValues): string[] => Object.keys(now).filter((column) => !sameField(opened[column], now[column]))
