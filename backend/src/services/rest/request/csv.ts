/** One field of a CSV text and what follows it. */
interface Cell {
  text: string
  next: number
}

export class CsvFault extends Error {}

function readQuoted(text: string, start: number): Cell {
  let value = ''
  let at = start + 1
  for (;;) {
    const quote = text.indexOf('"', at)
    if (quote < 0) throw new CsvFault('parse error (unexpected end of input) in a quoted field')
    value += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { text: value, next: quote + 1 }
    value += '"'
    at = quote + 2
  }
}

function readPlain(text: string, start: number): Cell {
  let at = start
  while (at < text.length && !',\r\n'.includes(text[at]!)) at += 1
  return { text: text.slice(start, at), next: at }
}

function readRow(text: string, start: number): { cells: string[]; next: number } {
  const cells: string[] = []
  let at = start
  for (;;) {
    const cell = text[at] === '"' ? readQuoted(text, at) : readPlain(text, at)
    cells.push(cell.text)
    at = cell.next
    if (text[at] === ',') at += 1
    else if (at >= text.length) return { cells, next: at }
    else if (text[at] === '\n') return { cells, next: at + 1 }
    else if (text[at] === '\r') return { cells, next: text[at + 1] === '\n' ? at + 2 : at + 1 }
    else throw new CsvFault('parse error (Failed reading: a quoted field is followed by more text)')
  }
}

/**
 * Reads a CSV text with a header line. The word `NULL` is null, every other field a text.
 *
 * @returns undefined when lines differ in their number of fields.
 */
export function parseCsv(text: string): Record<string, string | null>[] | undefined {
  if (text === '') throw new CsvFault('not enough input')
  const header = readRow(text, 0)
  const rows: Record<string, string | null>[] = []
  let at = header.next
  while (at < text.length) {
    const { cells, next } = readRow(text, at)
    at = next
    if (cells.length === 1 && cells[0] === '') continue
    if (cells.length !== header.cells.length) return undefined
    rows.push(Object.fromEntries(header.cells.map((name, index) => [name, cells[index] === 'NULL' ? null : cells[index]!])))
  }
  return rows
}
