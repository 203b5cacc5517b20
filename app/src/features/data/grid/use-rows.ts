import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Row } from '#features/data/rows/row.ts'
import { countQuery, pageQuery, pageSize, type RowCount, type RowsWanted } from '#features/data/rows/rows-query.ts'
import type { Source } from '#features/data/source.ts'

/** A view's rows as a scrolling list sees them: any index may be asked for, those in sight are read. */
export interface Rows {
  /** The first page: nothing can be said before it is there. */
  state: { step: 'loading' } | { step: 'failed'; error: Error } | { step: 'ready' }
  /** How many places to scroll through; grows while the real number is not known. */
  total: number
  count: RowCount | undefined
  /** Whether the number of rows is the real one. */
  isExact: boolean
  countFailed: boolean
  rowAt: (index: number) => Row | undefined
  /** Why a page that is in sight could not be read. */
  failureAt: (index: number) => Error | undefined
  retry: () => void
  isRefreshing: boolean
  /** Rows that are known to be there and not among those shown; none where nothing is live. */
  waiting?: number
  /** Rows that have been read and are at hand. */
  loaded: Row[]
  /** Says which rows are in sight. */
  show: (from: number, until: number) => void
}

// A browser draws no element taller than about 33 million pixels.
const mostRows = 700_000

// Outlines drawn before anything is known of the rows.
const awaitedRows = 24

// Dragging the scroll bar passes many pages; only some are read on the way, and those that are passed are given up.
const betweenMs = 100

/** `isShown`: false where the rows are shown in another way, and not read here. */
export function useRows(source: Source, wanted: RowsWanted, isShown = true): Rows {
  const { span, show } = useSpan()
  const pages = [...new Set([0, ...Array.from({ length: span.until - span.from + 1 }, (_, index) => span.from + index)])]
  const results = useQueries({ queries: pages.map((page) => ({ ...pageQuery(source, wanted, page), enabled: isShown })) })
  const count = useQuery({ ...countQuery(source, wanted), placeholderData: keepPreviousData, enabled: isShown })
  const byPage = new Map(pages.map((page, index) => [page, results[index]]))

  const first = byPage.get(0)
  const loaded = [...byPage].flatMap(([page, result]) => (result?.data ? [{ page, rows: result.data }] : []))
  const { total, isExact } = extent(loaded, count.data)
  return {
    state: first?.data ? { step: 'ready' } : first?.error ? { step: 'failed', error: first.error } : { step: 'loading' },
    total: first?.data || first?.error ? total : awaitedRows,
    isExact: isExact && first?.data !== undefined,
    count: count.data,
    countFailed: count.isError,
    rowAt: (index) => byPage.get(Math.floor(index / pageSize))?.data?.[index % pageSize],
    failureAt: (index) => byPage.get(Math.floor(index / pageSize))?.error ?? undefined,
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch()
      if (count.isError) void count.refetch()
    },
    isRefreshing: results.some(({ isFetching }) => isFetching),
    loaded: loaded.flatMap(({ rows }) => rows),
    show,
  }
}

interface Span {
  from: number
  until: number
}

/** The pages in sight: the first change counts at once, those that follow quickly a few times a second, the last one always. */
function useSpan(): { span: Span; show: Rows['show'] } {
  const [span, setSpan] = useState<Span>({ from: 0, until: 0 })
  const wanted = useRef(span)
  const taken = useRef({ at: 0, timer: undefined as ReturnType<typeof setTimeout> | undefined })
  useEffect(() => {
    const { current } = taken
    return () => {
      clearTimeout(current.timer)
      current.timer = undefined
    }
  }, [])
  const show = useCallback((from: number, until: number) => {
    wanted.current = { from: Math.floor(Math.max(0, from) / pageSize), until: Math.floor(Math.max(0, until) / pageSize) }
    const take = () => {
      taken.current.timer = undefined
      taken.current.at = performance.now()
      setSpan((held) => (held.from === wanted.current.from && held.until === wanted.current.until ? held : wanted.current))
    }
    const waitMs = taken.current.at + betweenMs - performance.now()
    if (waitMs <= 0) take()
    else taken.current.timer ??= setTimeout(take, waitMs)
  }, [])
  return { span, show }
}

/** How far the rows reach: to the end that was seen, else as counted, else one page beyond what was read. */
export function extent(loaded: readonly { page: number; rows: readonly unknown[] }[], count: RowCount | undefined): { total: number; isExact: boolean } {
  const ends = loaded.filter(({ page, rows }) => rows.length < pageSize && (rows.length > 0 || page === 0)).map(({ page, rows }) => page * pageSize + rows.length)
  if (ends.length > 0) return { total: Math.min(mostRows, ...ends), isExact: true }
  const furthest = Math.max(0, ...loaded.map(({ page, rows }) => page * pageSize + rows.length))
  const isFull = loaded.some(({ page, rows }) => rows.length === pageSize && (page + 1) * pageSize === furthest)
  if (count?.exact === true) return { total: Math.min(mostRows, Math.max(count.rows, furthest)), isExact: true }
  return { total: Math.min(mostRows, Math.max(count?.rows ?? 0, furthest + (isFull ? pageSize : 0))), isExact: false }
}
