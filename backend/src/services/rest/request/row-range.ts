/** Rows asked for: both bounds count from 0 and are included; an unbounded end is `Infinity`. */
export interface RowRange {
  first: number
  last: number
}

export const allRows: RowRange = { first: 0, last: Infinity }

// `limit=0` is the one empty range a client may ask for.
const noRows: RowRange = { first: 0, last: -1 }

export const isAllRows = (range: RowRange): boolean => range.first === 0 && range.last === Infinity

export const isEmptyRange = (range: RowRange): boolean => range.last < range.first

export const asksForNoRows = (range: RowRange): boolean => range.last === -1

/** How many rows, when there is a bound. */
export const rangeLimit = (range: RowRange): number | undefined => (range.last === Infinity ? undefined : 1 + range.last - range.first)

const nothing: RowRange = { first: Infinity, last: -Infinity }

export function intersect(one: RowRange, other: RowRange): RowRange {
  if (isEmptyRange(one) || isEmptyRange(other)) return nothing
  return { first: Math.max(one.first, other.first), last: Math.min(one.last, other.last) }
}

/** Keeps `limit=0` as it is, where combining it with another range would lose it. */
export const keepNoRows = (asked: RowRange, combined: RowRange): RowRange => (asksForNoRows(asked) ? noRows : combined)

export function restrictTo(maxRows: number | undefined, range: RowRange): RowRange {
  if (maxRows === undefined) return range
  return keepNoRows(range, intersect(range, { first: -Infinity, last: range.first + maxRows - 1 }))
}

/** A `Range` header: `0-24`, `25-`. Anything else asks for all rows. */
export function parseRangeHeader(header: string | null): RowRange {
  const match = /^([0-9]+)-([0-9]*)$/.exec(header ?? '')
  if (!match) return allRows
  const last = match[2] === '' ? Infinity : Number(match[2])
  return intersect({ first: Number(match[1]), last: Infinity }, { first: -Infinity, last })
}

const parseWhole = (text: string | undefined): number | undefined => (text !== undefined && /^\s*-?\d+\s*$/.test(text) ? Number(text) : undefined)

/** The range of `limit` and `offset` parameters; each undefined when it was not sent. */
export function rangeOfParameters(limit: string | undefined, offset: string | undefined): RowRange {
  const first = parseWhole(offset) ?? 0
  const count = parseWhole(limit)
  if (limit === undefined || (count === undefined && offset === undefined)) return { first, last: Infinity }
  return { first, last: first + (count ?? 0) - 1 }
}
