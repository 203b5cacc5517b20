import { columnList, treePath } from './grammar.ts'
import { parseFilterText } from './filter.ts'
import { logicPath, logicTree } from './logic.ts'
import { orderList } from './order.ts'
import { parse, ParseFailure } from './parser.ts'
import { remember } from './remember.ts'
import { selectList } from './select.ts'
import { queryNotUnderstood } from '#services/rest/errors.ts'
import { rangeOfParameters, type RowRange } from './row-range.ts'
import type { At, Filter, Logic, OrderTerm, SelectItem } from './query.ts'

export interface QueryParams {
  select: readonly SelectItem[]
  filters: readonly At<Filter>[]
  logic: readonly At<Logic>[]
  order: readonly At<readonly OrderTerm[]>[]
  /** By key as sent: `limit`, `clients.limit`. */
  ranges: ReadonlyMap<string, RowRange>
  columns?: readonly string[]
  onConflict?: readonly string[]
  /** What is no filter and no reserved word: arguments of a function called by GET. */
  args: readonly (readonly [string, string])[]
  /** Names of all parameters that could be filters. */
  filterNames: ReadonlySet<string>
  /** The keys of `filters`, as sent. */
  filterKeys: readonly string[]
  /** All that is no filter and no argument, as sent. */
  fixed: readonly (readonly [key: string, value: string])[]
  /** Sorted by name, for `Content-Location`. */
  canonical: string
}

const reserved = new Set(['select', 'columns', 'on_conflict'])
const reservedEndings = new Set(['order', 'limit', 'offset', 'and', 'or'])

const ending = (key: string): string => key.slice(key.lastIndexOf('.') + 1)

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ')
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    // Bytes that are no UTF-8, or a stray percent sign: keep what can be kept.
    return new URLSearchParams(`x=${text}`).get('x') ?? text
  }
}

type Pair = readonly [key: string, value: string | undefined]

export function splitQuery(query: string): Pair[] {
  const text = query.startsWith('?') ? query.slice(1) : query
  if (text === '') return []
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part) => {
      const equals = part.indexOf('=')
      return equals < 0 ? [decode(part), undefined] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))]
    })
}

// The upstream encoder reads UTF-8 bytes as Latin-1 letters and encodes them as UTF-8 again; replies carry the result.
const encodeTwice = (text: string): string =>
  encodeURIComponent(Buffer.from(text, 'utf8').toString('latin1')).replace(/[!'()*]/g, (found) => `%${found.charCodeAt(0).toString(16).toUpperCase()}`)

function canonicalQuery(pairs: readonly Pair[]): string {
  const byKey = new Map<string, string[]>()
  for (const [key, value] of [...pairs].sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))) {
    byKey.set(key, [...(byKey.get(key) ?? []), encodeTwice(value ?? '')])
  }
  return [...byKey].map(([key, values]) => `${encodeTwice(key)}=${values.join(',')}`).join('&')
}

function understand<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof ParseFailure) throw queryNotUnderstood(error.position, error.expectation)
    // The stack, the one thing parsing can run out of.
    if (error instanceof RangeError) throw queryNotUnderstood('the query is nested too deeply', 'embedded resources and conditions go a few hundred levels deep')
    throw error
  }
}

const readTreePath = remember((key) => parse(treePath, `failed to parse tree path (${key})`, key))
const readSelect = remember((text) => parse(selectList, `failed to parse select parameter (${text})`, text))
const readOrder = remember((text) => parse(orderList, `failed to parse order (${text})`, text))
const readColumns = remember((text) => parse(columnList, `failed to parse columns parameter (${text})`, text))
const readConflict = remember((text) => parse(columnList, `failed to parse on_conflict parameter (${text})`, text))
const readLogicPath = remember((key) => parse(logicPath, `failed to parse logic path (${key})`, key))

type Sent = readonly [key: string, value: string]

function parseFilter([key, value]: Sent, callsFunction: boolean): { at: At<Filter> } | { arg: Sent } {
  const { path, field } = readTreePath(key)
  const filter = parseFilterText(value, callsFunction)
  return filter ? { at: { path, value: { field, ...filter } } } : { arg: [field.name, value] }
}

function parseLogic([key, value]: Sent): At<Logic> {
  const { path, operator } = readLogicPath(key)
  return { path, value: parse(logicTree, `failed to parse logic tree (${value})`, operator + value) }
}

const parseOrder = ([key, value]: Sent): At<readonly OrderTerm[]> => ({ path: readTreePath(key).path, value: readOrder(value) })

function collectRanges(pairs: readonly Sent[]): Map<string, RowRange> {
  const asked = new Map<string, { limit?: string; offset?: string }>()
  for (const [key, value] of pairs) {
    const name = ending(key)
    if (name !== 'limit' && name !== 'offset') continue
    const place = `${key.slice(0, key.length - name.length)}limit`
    asked.set(place, { ...asked.get(place), [name]: value })
  }
  return new Map([...asked].map(([place, { limit, offset }]) => [place, rangeOfParameters(limit, offset)]))
}

/**
 * Parses a query string.
 *
 * @param callsFunction a GET on a function: parameters without an operator are its arguments.
 * @throws PGRST100 (400) saying where and what was expected.
 */
export function parseQueryParams(query: string, callsFunction: boolean): QueryParams {
  const pairs = splitQuery(query)
  const sent = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined)
  const first = (name: string): string | undefined => pairs.find(([key]) => key === name)?.[1]
  const ended = (...names: string[]): (readonly [string, string])[] => sent.filter(([key]) => names.includes(ending(key)))
  const filterPairs = sent.filter(([key]) => !reserved.has(key) && !reservedEndings.has(ending(key)))
  return understand(() => {
    const order = ended('order').map(parseOrder)
    const logic = ended('and', 'or').map(parseLogic)
    const columns = first('columns')
    const parsedColumns = columns === undefined ? undefined : readColumns(columns)
    const items = readSelect(first('select') ?? '*')
    const parsed = filterPairs.map((pair) => parseFilter(pair, callsFunction))
    const onConflict = first('on_conflict')
    return {
      select: items,
      filters: parsed.flatMap((found) => ('at' in found ? [found.at] : [])),
      args: parsed.flatMap((found) => ('arg' in found ? [found.arg] : [])),
      logic,
      order,
      ranges: collectRanges(sent),
      filterNames: new Set(filterPairs.map(([key]) => key)),
      filterKeys: filterPairs.flatMap(([key], index) => ('at' in parsed[index]! ? [key] : [])),
      fixed: sent.filter((pair) => !filterPairs.includes(pair)),
      canonical: canonicalQuery(pairs),
      ...(parsedColumns === undefined ? {} : { columns: [...new Set(parsedColumns)] }),
      ...(onConflict === undefined ? {} : { onConflict: readConflict(onConflict) }),
    }
  })
}
