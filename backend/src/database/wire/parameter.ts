import { Buffer } from 'node:buffer'
import type { SqlJson, SqlValue } from '#database/sql.ts'

const isJson = (value: object): value is SqlJson => 'json' in value

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`

function arrayElement(value: SqlValue): string {
  if (value === null || value === undefined) return 'NULL'
  if (Array.isArray(value)) return arrayText(value as readonly SqlValue[])
  if (value instanceof Uint8Array) return quoted(`\\x${Buffer.from(value).toString('hex')}`)
  return quoted(parameterText(value))
}

const arrayText = (values: readonly SqlValue[]): string => `{${values.map(arrayElement).join(',')}}`

function parameterText(value: Exclude<SqlValue, null | Uint8Array>): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return value ? 'true' : 'false'
  if (typeof value !== 'object') return String(value)
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return arrayText(value as readonly SqlValue[])
  return isJson(value) ? (JSON.stringify(value.json) ?? 'null') : JSON.stringify(value)
}

/** How a value travels: text, bytes in binary, or null. */
export function encodeParameter(value: SqlValue): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  return parameterText(value)
}
