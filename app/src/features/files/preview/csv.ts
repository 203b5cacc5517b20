/** Rows and cells of delimited text, quotes and line breaks inside them included. Stops after `limit` rows. */
export function readCsv(text: string, { delimiter = guessDelimiter(text), limit = Infinity }: { delimiter?: string; limit?: number } = {}): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    row.push(cell)
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  for (let index = text.startsWith('\uFEFF') ? 1 : 0; index < text.length && rows.length < limit; index += 1) {
    const letter = text[index] ?? ''
    if (isQuoted) {
      if (letter !== '"') cell += letter
      else if (text[index + 1] === '"') cell += text[(index += 1)]
      else isQuoted = false
    } else if (letter === '"' && cell === '') isQuoted = true
    else if (letter === delimiter) endCell()
    else if (letter === '\n') endRow()
    else if (letter !== '\r') cell += letter
  }
  if (rows.length < limit && (cell !== '' || row.length > 0)) endRow()
  return rows
}

/** What stands between cells: what the first line holds most of. */
export function guessDelimiter(text: string): string {
  const [line = ''] = text.split('\n', 1)
  const counted = [',', ';', '\t', '|'].map((delimiter) => ({ delimiter, count: line.split(delimiter).length }))
  return counted.reduce((best, one) => (one.count > best.count ? one : best)).delimiter
}
