import type { Call } from './call.ts'
import { invalidRequest } from './errors.ts'

/** Which part of a list is asked for. */
export interface Page {
  /** From 1. */
  page: number
  perPage: number
}

const defaultPerPage = 50

function readCount(query: URLSearchParams, name: string, fallback: number): number {
  const given = query.get(name) ?? ''
  if (given === '') return fallback
  if (!/^\d{1,9}$/.test(given)) throw invalidRequest(`Bad Pagination Parameters: strconv.ParseUint: parsing "${given}": invalid syntax`)
  return Number(given) || fallback
}

/** Reads `page` and `per_page`. @throws `validation_failed` (400). */
export const readPage = (query: URLSearchParams): Page => ({ page: readCount(query, 'page', 1), perPage: readCount(query, 'per_page', defaultPerPage) })

// Relative, as the official client expects: it reads the page numbers out of it.
function pageLinks(call: Call, { page, pages }: { page: number; pages: number }): string {
  const to = (number: number, rel: string): string => {
    const query = new URLSearchParams(call.query)
    query.set('page', String(number))
    query.sort()
    return `<${call.context.path}?${query}>; rel="${rel}"`
  }
  return [...(pages > page ? [to(page + 1, 'next')] : []), to(pages, 'last')].join(', ')
}

/** `X-Total-Count` and `Link` of a page. */
export const pageHeaders = (call: Call, { page, perPage, total }: Page & { total: number }): Record<string, string> => ({
  'x-total-count': String(total),
  link: pageLinks(call, { page, pages: Math.ceil(total / perPage) }),
})
