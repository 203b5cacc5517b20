import type { InfiniteData } from '@tanstack/react-query'
import type { Row } from '#features/data/rows/row.ts'

/** Some cards of one column, as they were read and as they were moved since. */
export interface CardPage {
  rows: readonly Row[]
  /** How many cards the column has: told with its first page; undefined where counting took too long. */
  count?: number | undefined
  /** More may follow. */
  isFull: boolean
  /** Cards put here that were not read with it: the next page starts that much earlier, and what comes twice is shown once. */
  placed: number
}

export type Cards = InfiniteData<CardPage, unknown>

type IdOf = (row: Row) => string

/** The cards of a column, each once. */
export function rowsIn({ pages }: Cards, idOf: IdOf): Row[] {
  const rows = new Map<string, Row>()
  for (const page of pages) for (const row of page.rows) if (!rows.has(idOf(row))) rows.set(idOf(row), row)
  return [...rows.values()]
}

/** Where the next page starts; undefined at the end. */
export function nextStart(pages: readonly CardPage[]): number | undefined {
  if (pages.at(-1)?.isFull !== true) return undefined
  return Math.max(0, pages.reduce((sum, { rows, placed }) => sum + rows.length - placed, 0))
}

export const countIn = ({ pages }: Cards): number | undefined => pages[0]?.count

export const isWhole = ({ pages }: Cards): boolean => pages.at(-1)?.isFull !== true

/** The column with another count. */
export const counted = (cards: Cards, change: (count: number) => number): Cards => ({
  ...cards,
  pages: cards.pages.map((page, index) => (index === 0 && page.count !== undefined ? { ...page, count: Math.max(0, change(page.count)) } : page)),
})

/** The column without a card, counted; the same object where it is not there. */
export function withoutCard(cards: Cards, id: string, idOf: IdOf): Cards {
  if (!cards.pages.some(({ rows }) => rows.some((row) => idOf(row) === id))) return cards
  const pages = cards.pages.map((page) => ({ ...page, rows: page.rows.filter((row) => idOf(row) !== id) }))
  return counted({ ...cards, pages }, (count) => count - 1)
}

export interface Placing {
  idOf: IdOf
  compare: (left: Row, right: Row) => number
  /** Shown even where its place is further down than what has been read. */
  always?: boolean
}

/** The column with a card at its place, counted. One whose place has not been read yet is counted alone. */
export function withCard(cards: Cards, row: Row, { idOf, compare, always = false }: Placing): Cards {
  const without = withoutCard(cards, idOf(row), idOf)
  const more = counted(without, (count) => count + 1)
  const at = more.pages.findIndex(({ rows }) => rows.some((other) => compare(row, other) < 0))
  if (at < 0 && !isWhole(cards) && !always) return more
  const page = at < 0 ? more.pages.length - 1 : at
  return { ...more, pages: more.pages.map((one, index) => (index === page ? { ...one, rows: inserted(one.rows, row, compare), placed: one.placed + 1 } : one)) }
}

function inserted(rows: readonly Row[], row: Row, compare: Placing['compare']): Row[] {
  const before = rows.findIndex((other) => compare(row, other) < 0)
  return before < 0 ? [...rows, row] : [...rows.slice(0, before), row, ...rows.slice(before)]
}

/** The column with a card as it is now, at the place it has. */
export const withChanged = (cards: Cards, row: Row, idOf: IdOf): Cards => ({
  ...cards,
  pages: cards.pages.map((page) => (page.rows.some((other) => idOf(other) === idOf(row)) ? { ...page, rows: page.rows.map((other) => (idOf(other) === idOf(row) ? row : other)) } : page)),
})
