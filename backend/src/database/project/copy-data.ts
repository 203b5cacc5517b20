import { literal } from '#database/sql.ts'

/** Rows of one insert: enough to be quick, few enough that one bad row is easy to find. */
const rowsPerInsert = 500

const copyHead = /^copy\s+(?<target>[\s\S]+?)\s+from\s+stdin\b\s*(?:with\s*)?(?<options>[\s\S]*)$/i

interface Format {
  csv: boolean
  delimiter: string
  nullText: string
  header: boolean
}

function optionText(options: string, name: string): string | undefined {
  const found = new RegExp(`\\b${name}\\s+(?:as\\s+)?(e?)'((?:[^']|'')*)'`, 'i').exec(options)
  if (!found) return undefined
  const text = (found[2] ?? '').replaceAll("''", "'")
  return found[1] === '' ? text : unescape(text)
}

function readFormat(options: string): Format {
  const csv = /\bcsv\b/i.test(options)
  return {
    csv,
    delimiter: optionText(options, 'delimiter') ?? (csv ? ',' : '\t'),
    nullText: optionText(options, 'null') ?? (csv ? '' : '\\N'),
    header: /\bheader\b(?!\s*(?:false|off|0))/i.test(options),
  }
}

const namedEscapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

const unescape = (cell: string): string =>
  cell.replace(/\\(x[0-9a-fA-F]{1,2}|[0-7]{1,3}|[\s\S])/g, (_, escape: string) => {
    if (/^x./.test(escape)) return String.fromCharCode(Number.parseInt(escape.slice(1), 16))
    if (/^[0-7]/.test(escape)) return String.fromCharCode(Number.parseInt(escape, 8))
    return namedEscapes[escape] ?? escape
  })


function* textRows(data: string, { delimiter, nullText }: Format): Generator<(string | null)[]> {
  const lines = data.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  for (const line of lines) yield splitCells(line, delimiter).map((cell) => (cell === nullText ? null : unescape(cell)))
}

// A delimiter after a backslash is data.
function splitCells(line: string, delimiter: string): string[] {
  const cells: string[] = []
  let start = 0
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === '\\') at += 1
    else if (line[at] === delimiter) {
      cells.push(line.slice(start, at))
      start = at + 1
    }
  }
  return [...cells, line.slice(start)]
}

function* csvRows(data: string, { delimiter, nullText }: Format): Generator<(string | null)[]> {
  const cell = new RegExp(`"((?:[^"]|"")*)"|[^${delimiter === '|' ? '\\|' : delimiter}\\r\\n]*`, 'y')
  let row: (string | null)[] = []
  for (let at = 0; at < data.length; ) {
    cell.lastIndex = at
    const found = cell.exec(data)
    const raw = found?.[0] ?? ''
    row.push(found?.[1] !== undefined ? found[1].replaceAll('""', '"') : raw === nullText ? null : raw)
    at += raw.length
    if (data[at] === delimiter) at += 1
    else {
      at += data.startsWith('\r\n', at) ? 2 : 1
      yield row
      row = []
    }
  }
}

/**
 * Gives the statements that load what `copy … from stdin` and its data would: inserts, since the embedded engine has no
 * stdin to copy from. Text and CSV formats; the same triggers, checks and conversions see the rows.
 */
export function copyAsInserts(statement: string, data: string): string[] {
  const { target = '', options = '' } = copyHead.exec(statement)?.groups ?? {}
  const format = readFormat(options)
  const rows = [...(format.csv ? csvRows(data, format) : textRows(data, format))]
  if (format.header) rows.shift()
  const made: string[] = []
  for (let at = 0; at < rows.length; at += rowsPerInsert) {
    const values = rows.slice(at, at + rowsPerInsert)
      .map((row) => `(${row.map((cell) => (cell === null ? 'null' : literal(cell).text)).join(', ')})`)
    made.push(`insert into ${target} overriding system value values\n${values.join(',\n')}`)
  }
  return made
}
