import { isOperator, type Condition, type FilterPart } from './filter.ts'

export interface Sort {
  column: string
  descending: boolean
}

/** What of a relation is shown and in which order; lives in the address, so that a view can be linked. */
export interface ViewState {
  filter: FilterPart[]
  search: string
  sort: Sort[]
}

export const emptyView: ViewState = { filter: [], search: '', sort: [] }

/**
 * Reads the view from the query string: `search=printer&sort=-created_at,id&where=status~in~open~waiting`.
 * Parts it cannot read are left out, so that an old link still opens.
 */
export function readView(search: string): ViewState {
  const parameters = new URLSearchParams(search)
  return {
    search: parameters.get('search') ?? '',
    sort: (parameters.get('sort') ?? '').split(',').filter((piece) => piece !== '').map(readSort),
    filter: parameters.getAll('where').flatMap((text) => {
      const any = text.split('|').flatMap(readCondition)
      return any.length > 0 ? [{ any }] : []
    }),
  }
}

/** Writes the view back, keeping what else stands in the query string. */
export function writeView(view: ViewState, search = ''): string {
  const parameters = new URLSearchParams(search)
  for (const name of ['search', 'sort', 'where']) parameters.delete(name)
  if (view.search !== '') parameters.set('search', view.search)
  if (view.sort.length > 0) parameters.set('sort', view.sort.map(writeSort).join(','))
  for (const { any } of view.filter) parameters.append('where', any.map(writeCondition).join('|'))
  // Commas, tildes and plus signs are legible in an address and legal there.
  const text = parameters.toString().replaceAll('%2C', ',').replaceAll('%7E', '~')
  return text === '' ? '' : `?${text}`
}

// A name that starts like a direction gets one of its own.
const writeSort = ({ column, descending }: Sort): string => `${descending ? '-' : /^[+\-\s]/.test(column) ? '+' : ''}${escape(column)}`

function readSort(piece: string): Sort {
  const column = unescape(piece.replace(/^[+\-\s]/, ''))
  return { column, descending: piece.startsWith('-') }
}

function readCondition(text: string): Condition[] {
  const [column = '', operator = '', ...values] = text.split('~').map(unescape)
  return column !== '' && isOperator(operator) ? [{ column, operator, values }] : []
}

const writeCondition = ({ column, operator, values }: Condition): string => [column, operator, ...values].map(escape).join('~')

// The separators, and the sign that escapes them.
const marks = ['!', '~', '|', ','] as const
const escape = (text: string): string => text.replace(/[!~|,]/g, (mark) => `!${marks.indexOf(mark as (typeof marks)[number])}`)
const unescape = (text: string): string => text.replace(/!([0-3])/g, (_, digit: string) => marks[Number(digit)] ?? '')

export const sameView = (left: ViewState, right: ViewState): boolean => writeView(left) === writeView(right)

/** The next step of a column's sort on a click: ascending, descending, none. `add` keeps the other columns. */
export function nextSort(sort: readonly Sort[], column: string, add: boolean): Sort[] {
  const current = sort.find((part) => part.column === column)
  const others = add ? sort.filter((part) => part.column !== column) : []
  if (!current) return [...others, { column, descending: false }]
  if (current.descending) return others
  return add ? sort.map((part) => (part.column === column ? { column, descending: true } : part)) : [{ column, descending: true }]
}
