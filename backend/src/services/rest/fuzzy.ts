/**
 * Finds the name nearest to a misspelt one: candidates sharing three-letter (else two-letter) pieces, ranked by edit distance.
 *
 * @see FuzzySet of fuzzyset.js, which PostgREST's suggestions come from
 */

interface Entry {
  name: string
  normal: string
  grams: ReadonlyMap<string, number>
  length: number
}

const countGrams = (name: string, size: number): ReadonlyMap<string, number> => {
  const simplified = `-${name.toLowerCase().replace(/[^\p{L}\p{N}, ]+/gu, '')}-`.padEnd(size, '-')
  const counts = new Map<string, number>()
  for (let at = 0; at + size <= simplified.length; at += 1) {
    const gram = simplified.slice(at, at + size)
    counts.set(gram, (counts.get(gram) ?? 0) + 1)
  }
  return counts
}

const vectorLength = (grams: ReadonlyMap<string, number>): number => Math.sqrt([...grams.values()].reduce((sum, count) => sum + count * count, 0))

const entryOf = (name: string, size: number): Entry => {
  const grams = countGrams(name, size)
  return { name, normal: name.toLowerCase(), grams, length: vectorLength(grams) }
}

function editDistance(one: string, other: string): number {
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const change = one[row - 1] === other[column - 1] ? 0 : 1
      current.push(Math.min(previous[column]! + 1, current[column - 1]! + 1, previous[column - 1]! + change))
    }
    previous = current
  }
  return previous[other.length]!
}

const similarity = (one: string, other: string): number => 1 - editDistance(one, other) / Math.max(one.length, other.length, 1)

function cosine(one: Entry, other: Entry): number {
  let product = 0
  for (const [gram, count] of one.grams) product += count * (other.grams.get(gram) ?? 0)
  return product / (one.length * other.length || 1)
}

export interface Match {
  name: string
  /** 0 to 1; 1 is the same word but for its case. */
  score: number
}

const defaultMinimum = 0.33

/** The candidates like `word`, best first. */
export function findSimilar(candidates: readonly string[], word: string, minimum = defaultMinimum): Match[] {
  const unique = [...new Set(candidates)]
  const same = unique.find((name) => name.toLowerCase() === word.toLowerCase())
  if (same !== undefined) return [{ name: same, score: 1 }]
  for (const size of [3, 2]) {
    const wanted = entryOf(word, size)
    const near = unique
      .map((name) => entryOf(name, size))
      .map((entry) => ({ entry, score: cosine(wanted, entry) }))
      .filter(({ score }) => score > 0)
      .sort((one, other) => other.score - one.score)
      .slice(0, 50)
      .map(({ entry }) => ({ name: entry.name, score: similarity(wanted.normal, entry.normal) }))
      .filter(({ score }) => score >= minimum)
      .sort((one, other) => other.score - one.score)
    if (near.length > 0) return near
  }
  return []
}

export const findNearest = (candidates: readonly string[], word: string, minimum = defaultMinimum): string | undefined =>
  findSimilar(candidates, word, minimum)[0]?.name
