/** Where a sought text stands: line and place in it, both from 0. */
export interface Place {
  line: number
  start: number
}

const longestLine = 2000
const mostPlaces = 5000

/** Lines as they are drawn; one far too long for a row is cut in pieces. */
export const cutLines = (text: string): string[] =>
  text.split(/\r\n|\n|\r/).flatMap((line) => (line.length <= longestLine ? [line] : Array.from({ length: Math.ceil(line.length / longestLine) }, (_, index) => line.slice(index * longestLine, (index + 1) * longestLine))))

/** Every place of a text, whatever its case; the first 5,000. */
export function findPlaces(lines: readonly string[], sought: string): Place[] {
  if (sought === '') return []
  const small = sought.toLowerCase()
  const places: Place[] = []
  for (const [line, text] of lines.entries()) {
    const folded = text.toLowerCase()
    // A letter whose small form is longer would shift every place after it.
    const within = folded.length === text.length ? folded : text
    for (let start = within.indexOf(small); start >= 0; start = within.indexOf(small, start + small.length)) {
      places.push({ line, start })
      if (places.length === mostPlaces) return places
    }
  }
  return places
}
