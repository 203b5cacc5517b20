import type { ColumnDescription, Description } from '#features/data/description/description.ts'
import { enumValues, foreignKeyShownAt, type Relation } from '#features/data/description/relations.ts'
import { rulesOf } from '#features/data/description/rules.ts'
import { pickerOf, type Picker } from '#features/data/rows/choices-query.ts'

/** The picker of the rows a column can name; only a key of one column can be filtered by another row. */
export function filterPicker(description: Description, relation: Relation, column: ColumnDescription): Picker | undefined {
  const fk = foreignKeyShownAt(relation, column.name)
  return fk?.columns.length === 1 ? pickerOf(description, fk) : undefined
}

export const isReference = (description: Description, relation: Relation, column: ColumnDescription): boolean =>
  filterPicker(description, relation, column) !== undefined

/** The values a column may hold, when there are only so many. */
export function choicesOf(description: Description, relation: Relation, column: ColumnDescription): string[] {
  const values = enumValues(description, column)
  if (values.length > 0) return values
  const rule = rulesOf(description, relation, column).find((candidate) => candidate.rule === 'one-of')
  return rule?.rule === 'one-of' ? rule.values : []
}
