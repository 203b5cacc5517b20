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

/** The value of a row as its control holds it. */
export function fieldFromRow(column: ColumnDescription, value: unknown): FieldValue {
  if (value === null || value === undefined) return null
  if (isList(column)) return Array.isArray(value) && value.every((item) => typeof item !== 'object') ? value.map(String) : JSON.stringify(value)
  if (isJsonText(column)) return JSON.stringify(value, null, 2)
  switch (kindOf(column)) {
    case 'boolean': return value === true
    case 'timestamptz': return localFromInstant(String(value))
    default: return typeof value === 'object' ? JSON.stringify(value) : String(value)
  }
}

/** The control's value as the data API takes it. Only for values that passed their checks. */
export function fieldToWire(column: ColumnDescription, value: FieldValue): unknown {
  if (value === null || value === undefined || typeof value === 'boolean' || Array.isArray(value)) return value
  if (isJsonText(column)) return JSON.parse(value) as unknown
  switch (kindOf(column)) {
    case 'timestamptz': return instantFromLocal(value) ?? value
    case 'integer': return Number.isSafeInteger(Number(value)) ? Number(value) : value.trim()
    // Numeric goes as text: a JSON number would lose digits.
    case 'decimal': case 'float': case 'uuid': return value.trim()
    default: return value
  }
}

/** The reader's wall clock for an instant: `2026-11-20T14:05:09`. Fractions of a second are kept. */
export function localFromInstant(instant: string): string {
  const moment = new Date(instant)
  if (Number.isNaN(moment.getTime())) return instant
  const pad = (part: number, width = 2) => String(part).padStart(width, '0')
  const fraction = /\.\d+/.exec(instant)?.[0] ?? ''
  return `${pad(moment.getFullYear(), 4)}-${pad(moment.getMonth() + 1)}-${pad(moment.getDate())}T${pad(moment.getHours())}:${pad(moment.getMinutes())}:${pad(moment.getSeconds())}${fraction}`
}

/** The instant a wall clock of the reader's zone shows; undefined for what is no date. */
export function instantFromLocal(local: string): string | undefined {
  const match = /^(\d{4,6}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2})?)(\.\d+)?$/.exec(local)
  const moment = match ? new Date(match[1] ?? '') : undefined
  if (!moment || Number.isNaN(moment.getTime())) return undefined
  return `${moment.toISOString().slice(0, 19)}${match?.[2] ?? ''}Z`
}

export const sameField = (left: FieldValue, right: FieldValue): boolean =>
  left === right || (Array.isArray(left) && Array.isArray(right) && left.length === right.length && left.every((item, index) => item === right[index]))

/** Columns whose controls no longer hold what they opened with. */
export const changedColumns = (opened: FieldValues, now: FieldValues): string[] => Object.keys(now).filter((column) => !sameField(opened[column], now[column]))
