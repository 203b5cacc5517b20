import { bodyNotUnderstood } from '#services/rest/errors.ts'
import { CsvFault, parseCsv } from './csv.ts'
import { mediaName, type MediaType } from './media-type.ts'
import { splitQuery } from './query-params.ts'

/** A request's body, ready to be a parameter of a statement. */
export type Payload =
  /** JSON text: an object or an array of objects, handed to Postgres as it was sent. */
  | { kind: 'json'; text: string; isObject: boolean }
  | { kind: 'pairs'; pairs: readonly (readonly [string, string])[] }
  /** For functions with one unnamed parameter. */
  | { kind: 'raw'; bytes: Uint8Array }

export interface PayloadFacts {
  body: Uint8Array
  contentType: MediaType
  /** The `columns` parameter, where the request may have one. */
  columns: readonly string[] | undefined
  callsFunction: boolean
}

export interface ReadPayload {
  payload: Payload
  /** Names the body gives values for. */
  names: readonly string[]
}

const looksLikeObject = (text: string): boolean => /^[ \t\n\r]*\{/.test(text)

const jsonPayload = (text: string): Payload => ({ kind: 'json', text, isObject: looksLikeObject(text) })

// Deeper than any stack of Postgres reads; the embedded engine's would end, and the engine with it.
const deepestNesting = 10_000

function nestsTooDeep(text: string): boolean {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at]
    if (isQuoted) {
      if (sign === '\\') at += 1
      else if (sign === '"') isQuoted = false
    } else if (sign === '"') isQuoted = true
    else if (sign === '[' || sign === '{') depth += 1
    else if (sign === ']' || sign === '}') depth -= 1
    if (depth > deepestNesting) return true
  }
  return false
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

function haveSameKeys(rows: readonly unknown[], names: readonly string[]): boolean {
  return rows.every((row) => isObject(row) && Object.keys(row).length === names.length && names.every((name) => Object.hasOwn(row, name)))
}

function readJsonValue(text: string, value: unknown): ReadPayload {
  if (isObject(value)) return { payload: jsonPayload(text), names: Object.keys(value) }
  // Whatever is neither an object nor an array of objects stands for no rows.
  if (!Array.isArray(value) || value.length === 0) return { payload: jsonPayload('[]'), names: [] }
  const names = isObject(value[0]) ? Object.keys(value[0]) : undefined
  if (!names || !haveSameKeys(value, names)) throw bodyNotUnderstood('All object keys must match')
  return { payload: jsonPayload(text), names }
}

function readJson(text: string, { columns, callsFunction }: PayloadFacts): ReadPayload {
  if (text.length > deepestNesting && nestsTooDeep(text)) throw bodyNotUnderstood('The JSON is nested too deeply')
  if (columns) return { payload: jsonPayload(text), names: columns }
  if (text === '' && callsFunction) return { payload: jsonPayload(text), names: [] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw bodyNotUnderstood('Empty or invalid json')
  }
  return readJsonValue(text, value)
}

function readCsv(text: string): ReadPayload {
  let rows: ReturnType<typeof parseCsv>
  try {
    rows = parseCsv(text)
  } catch (error) {
    if (error instanceof CsvFault) throw bodyNotUnderstood(error.message)
    throw error
  }
  if (!rows) throw bodyNotUnderstood('All lines must have same number of fields')
  return readJsonValue(JSON.stringify(rows), rows)
}

function readForm(text: string, callsFunction: boolean): ReadPayload {
  const pairs = splitQuery(text).map(([name, value]) => [name, value ?? ''] as const)
  if (callsFunction) return { payload: { kind: 'pairs', pairs }, names: [...new Set(pairs.map(([name]) => name))] }
  const row = Object.fromEntries(pairs)
  return { payload: jsonPayload(JSON.stringify(row)), names: Object.keys(row) }
}

const decodeText = (bytes: Uint8Array): string => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')

/** Reads the body of a write or of a function call. @throws PGRST102 (400). */
export function readPayload(facts: PayloadFacts): ReadPayload {
  switch (facts.contentType.kind) {
    case 'json':
      return readJson(decodeText(facts.body), facts)
    case 'csv':
      return readCsv(decodeText(facts.body))
    case 'form':
      return readForm(decodeText(facts.body), facts.callsFunction)
    case 'text':
    case 'xml':
    case 'octets':
      if (facts.callsFunction) return { payload: { kind: 'raw', bytes: facts.body }, names: [] }
  }
  throw bodyNotUnderstood(`Content-Type not acceptable: ${mediaName(facts.contentType)}`)
}
