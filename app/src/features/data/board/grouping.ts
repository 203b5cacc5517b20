import type { ColumnDescription, Description, ForeignKey } from '#features/data/description/description.ts'
import { kindOf } from '#features/data/description/field-kind.ts'
import { canRead, enumValues, findRelation, foreignKeyShownAt, keyColumns, readableColumns, type Relation } from '#features/data/description/relations.ts'
import { rulesOf } from '#features/data/description/rules.ts'

/** A column whose values a board can stand side by side. */
export interface Grouping {
  column: ColumnDescription
  kind: 'enum' | 'choice' | 'boolean' | 'reference'
  /** In their own order; those of a reference are read. */
  values: readonly string[]
  fk?: ForeignKey
}

/** More rows than this are no columns of a board. */
export const mostTargets = 60

const stateNames = /(^|_)(status|state|stage|phase)$/i

/** The columns a relation's rows can be grouped by, the most telling first: a state, other choices, yes or no, other rows. */
export function groupingsOf(description: Description, relation: Relation): Grouping[] {
  const found = shared(relation).flatMap((column) => groupingOf(description, relation, column) ?? [])
  return found.sort((left, right) => rank(left) - rank(right))
}

/** The columns a board cannot be made of only because they lead to too many rows, as far as that is told. */
export const tooLargeGroupings = (description: Description, relation: Relation): ColumnDescription[] =>
  shared(relation).filter((column) => {
    const fk = foreignKeyShownAt(relation, column.name)
    const target = fk && findRelation(description, fk.schema, fk.table)
    return fk?.columns.length === 1 && fk.one_to_one !== true && target?.can.select === true && (target.approx_rows ?? 0) > mostTargets
  })

// Columns that several rows may have the same value in.
function shared(relation: Relation): ColumnDescription[] {
  const alone = new Set([keyColumns(relation) ?? [], ...(relation.unique ?? [])].flatMap((key) => (key.length === 1 ? key : [])))
  return readableColumns(relation).filter(({ name, array }) => array !== true && !alone.has(name))
}

const order: readonly Grouping['kind'][] = ['enum', 'choice', 'boolean', 'reference']
const rank = ({ column, kind }: Grouping): number => (kind !== 'reference' && stateNames.test(column.name) ? -1 : order.indexOf(kind))

function groupingOf(description: Description, relation: Relation, column: ColumnDescription): Grouping | undefined {
  const fk = foreignKeyShownAt(relation, column.name)
  if (fk) return fk.columns.length === 1 && isFew(description, fk) ? { column, kind: 'reference', values: [], fk } : undefined
  switch (kindOf(column)) {
    case 'enum': {
      const values = enumValues(description, column)
      return values.length > 0 ? { column, kind: 'enum', values } : undefined
    }
    case 'boolean': return { column, kind: 'boolean', values: ['true', 'false'] }
    case 'text': {
      const rule = rulesOf(description, relation, column).find((one) => one.rule === 'one-of')
      return rule?.rule === 'one-of' && rule.values.length > 1 && rule.values.length <= mostTargets ? { column, kind: 'choice', values: rule.values } : undefined
    }
    default: return undefined
  }
}

// How many rows there are is told only where no policy hides some; elsewhere the board counts them.
function isFew(description: Description, fk: ForeignKey): boolean {
  const target = findRelation(description, fk.schema, fk.table)
  const to = target?.columns.find(({ name }) => name === fk.to[0])
  return target?.can.select === true && fk.one_to_one !== true && to !== undefined && canRead(to) && (target.approx_rows ?? 0) <= mostTargets
}

/** Whether the role may give a row another value here: the grant, and a key to find the row again by. */
export const canMove = (relation: Relation, { column }: Grouping): boolean =>
  relation.can.update && column.can.includes('u') && column.generated === undefined && keyColumns(relation) !== undefined

const parameter = 'board'

/** The column the address asks to group by: `?board=status`. Undefined: a grid. */
export const readGrouping = (search: string, groupings: readonly Grouping[]): Grouping | undefined => {
  const name = new URLSearchParams(search).get(parameter)
  return name === null ? undefined : (groupings.find(({ column }) => column.name === name) ?? groupings[0])
}

/** The query string with another column to group by; undefined goes back to the grid. */
export function writeGrouping(search: string, column: string | undefined): string {
  const parameters = new URLSearchParams(search)
  if (column === undefined) parameters.delete(parameter)
  else parameters.set(parameter, column)
  const text = parameters.toString().replaceAll('%2C', ',').replaceAll('%7E', '~')
  return text === '' ? '' : `?${text}`
}
