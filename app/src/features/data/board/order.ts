import type { ColumnDescription, Description } from '#features/data/description/description.ts'
import { isMoment, isNumeric, kindOf } from '#features/data/description/field-kind.ts'
import { enumValues, findColumn, keyColumns, type Relation } from '#features/data/description/relations.ts'
import type { Row } from '#features/data/rows/row.ts'
import { effectiveSort } from '#features/data/view/newest-first.ts'
import type { Sort } from '#features/data/view/view-state.ts'

/** The columns a card's place is decided by, in their order: the view's, then the key, as they are asked for. */
export function orderKeys(relation: Relation, sort: readonly Sort[]): Sort[] {
  const readable = effectiveSort(relation, sort).filter(({ column }) => findColumn(relation, column)?.can.includes('s') === true)
  const rest = (keyColumns(relation) ?? []).filter((column) => !readable.some((part) => part.column === column))
  return [...readable, ...rest.map((column) => ({ column, descending: readable.at(-1)?.descending ?? false }))]
}

/**
 * Compares two rows as the database orders them; what is not set stands last in either direction. Texts are compared by the
 * reader's alphabet, which may differ from the database's in few places: the next reading puts such a card right.
 */
export function rowOrder(description: Description, relation: Relation, sort: readonly Sort[]): (left: Row, right: Row) => number {
  const parts = orderKeys(relation, sort).flatMap(({ column: name, descending }) => {
    const column = findColumn(relation, name)
    return column ? [{ name, sign: descending ? -1 : 1, compare: comparison(description, column) }] : []
  })
  return (left, right) => {
    for (const { name, sign, compare } of parts) {
      const [a, b] = [left[name], right[name]]
      const [isA, isB] = [a !== null && a !== undefined, b !== null && b !== undefined]
      const found = isA && isB ? sign * compare(a, b) : Number(isB) - Number(isA)
      if (found !== 0) return found
    }
    return 0
  }
}

type Compare = (left: unknown, right: unknown) => number

function comparison(description: Description, column: ColumnDescription): Compare {
  const kind = kindOf(column)
  if (column.array === true) return byText
  if (kind === 'enum') {
    const values = enumValues(description, column)
    return (left, right) => values.indexOf(String(left)) - values.indexOf(String(right))
  }
  // Numbers too long for a browser come as text: those that round to the same are told apart by their digits.
  if (isNumeric(kind)) return (left, right) => Math.sign(Number(left) - Number(right)) || byDigits(String(left), String(right))
  if (isMoment(kind)) return (left, right) => Math.sign(Date.parse(String(left)) - Date.parse(String(right))) || byCode(String(left), String(right))
  if (kind === 'uuid' || kind === 'time') return (left, right) => byCode(String(left), String(right))
  if (kind === 'boolean') return (left, right) => Number(left) - Number(right)
  return byText
}

const byText: Compare = (left, right) => String(left).localeCompare(String(right))
const byCode = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

function byDigits(left: string, right: string): number {
  if (!/^-?\d+$/.test(left) || !/^-?\d+$/.test(right)) return 0
  const [a, b] = [BigInt(left), BigInt(right)]
  return a < b ? -1 : a > b ? 1 : 0
}
