import type { RawResult } from './database.ts'

type CellParser = (text: string) => unknown

const asNumber: CellParser = Number
const asText: CellParser = (text) => text
const asBoolean: CellParser = (text) => text === 't'

/** Reads Postgres' text form of an array, nested ones included: `{1,NULL,"a,b"}`. */
export function parseArray(text: string, parseElement: CellParser): unknown[] {
  // Bounds other than 1 are written before the value: `[0:1]={1,2}`.
  let at = text.indexOf('{')
  const readQuoted = (): string => {
    let value = ''
    for (at += 1; text[at] !== '"' && at < text.length; at += 1) {
      if (text[at] === '\\') at += 1
      value += text[at]
    }
    at += 1
    return value
  }
  const readBare = (): unknown => {
    const from = at
    while (at < text.length && text[at] !== ',' && text[at] !== '}') at += 1
    const word = text.slice(from, at)
    return word === 'NULL' ? null : parseElement(word)
  }
  const readElement = (): unknown => {
    if (text[at] === '{') return readArray()
    return text[at] === '"' ? parseElement(readQuoted()) : readBare()
  }
  const readArray = (): unknown[] => {
    const values: unknown[] = []
    at += 1
    while (at < text.length && text[at] !== '}') {
      values.push(readElement())
      if (text[at] === ',') at += 1
    }
    at += 1
    return values
  }
  return readArray()
}

const scalars: Readonly<Record<number, CellParser>> = {
  16: asBoolean, // bool
  21: asNumber, // int2
  23: asNumber, // int4
  700: asNumber, // float4
  701: asNumber, // float8
  114: JSON.parse, // json
  3802: JSON.parse, // jsonb
}

const arrays: Readonly<Record<number, CellParser>> = {
  1000: asBoolean, // bool[]
  1005: asNumber, // int2[]
  1007: asNumber, // int4[]
  1021: asNumber, // float4[]
  1022: asNumber, // float8[]
  199: JSON.parse, // json[]
  3807: JSON.parse, // jsonb[]
  1009: asText, // text[]
  1015: asText, // varchar[]
  1014: asText, // bpchar[]
  1003: asText, // name[]
  2951: asText, // uuid[]
}

function parserOf(typeOid: number): CellParser {
  const scalar = scalars[typeOid]
  if (scalar) return scalar === JSON.parse ? (text) => JSON.parse(text) : scalar
  const element = arrays[typeOid]
  return element ? (text) => parseArray(text, element === JSON.parse ? (cell) => JSON.parse(cell) : element) : asText
}

/** Turns a raw result into objects, one a row, named by column. */
export function toRows<Row>(result: RawResult): Row[] {
  const columns = result.columns.map(({ name, typeOid }) => ({ name, parse: parserOf(typeOid) }))
  return result.rows.map((cells) => {
    const row: Record<string, unknown> = {}
    columns.forEach(({ name, parse }, index) => {
      const cell = cells[index] ?? null
      row[name] = cell === null ? null : parse(cell)
    })
    return row as Row
  })
}
