import type { Choice } from '#features/data/rows/choices-query.ts'
import type { Row } from '#features/data/rows/row.ts'
import type { Clause } from '#features/data/view/clause.ts'
import { columnName } from '#features/data/view/wire-text.ts'
import type { Grouping } from './grouping.ts'

/** One column of a board. */
export interface Group {
  /** `=open`, `null`, or `others` for what fits none of the columns. */
  id: string
  kind: 'value' | 'null' | 'others'
  /** What a row moved here holds, as the data API takes it. */
  value: string | boolean | null
  /** The value's own words; a boolean's and those of the other two kinds come from the catalogue. */
  label: string | undefined
  clause: Clause
}

export const othersId = 'others'
export const nullId = 'null'
const valueId = (value: string): string => `=${value}`

/** The columns of a board in their order. Rows that point at what cannot be listed have a column of their own. */
export function groupsOf({ column, kind, values }: Grouping, targets: readonly Choice[] = []): Group[] {
  const name = columnName(column.name)
  const given = kind === 'reference' ? targets.map((target) => ({ value: target.values[0] ?? '', label: target.title })) : values.map((value) => ({ value, label: value }))
  const groups = given.map(({ value, label }): Group => ({
    id: valueId(value),
    kind: 'value',
    value: kind === 'boolean' ? value === 'true' : value,
    label: kind === 'boolean' ? undefined : label,
    clause: kind === 'boolean' ? { column: name, operator: 'is', value } : { column: name, operator: 'eq', value },
  }))
  const unset: Group = { id: nullId, kind: 'null', value: null, label: undefined, clause: { column: name, operator: 'is', value: 'null' } }
  const others: Group = { id: othersId, kind: 'others', value: null, label: undefined, clause: { column: name, operator: 'in', items: given.map(({ value }) => value), negated: true } }
  return [
    ...(column.not_null === true ? [] : [unset]),
    ...groups,
    ...(kind === 'reference' && groups.length > 0 ? [others] : []),
  ]
}

/** Where a row stands. */
export function groupFor(groups: readonly Group[], grouping: Grouping, row: Row): Group | undefined {
  const value = row[grouping.column.name]
  const id = value === null || value === undefined ? nullId : valueId(String(value))
  return groups.find((group) => group.id === id) ?? groups.find((group) => group.id === othersId)
}
