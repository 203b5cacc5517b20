import type { ColumnDescription, Description } from '#features/data/description/description.ts'
import { kindOf } from '#features/data/description/field-kind.ts'
import { enumValues, foreignKeys, foreignKeyShownAt, readableColumns, type Relation } from '#features/data/description/relations.ts'
import { comparisonsOf, rulesOf, type ComparisonRule, type Rule } from '#features/data/description/rules.ts'
import { titleOf } from '#features/data/description/title.ts'
import { pickerOf, type Picker } from '#features/data/rows/choices-query.ts'
import { columnLabel } from '#features/data/words.ts'
import { findComparisonProblem, findProblem, type Problem } from './validate.ts'
import type { FieldValues } from './field-value.ts'

/** One field of a form: its column, and all that is known of what may stand in it. */
export interface FormField {
  column: ColumnDescription
  label: string
  rules: Rule[]
  /** Nothing fills it in, and it may not be empty. */
  required: boolean
  /** The only values it may hold, when there are only so many. */
  choices: string[]
  picker: Picker | undefined
  /** The row is called by it. */
  isTitle: boolean
}

const notTyped = new Set(['binary', 'search'])

/** The fields a role may fill in a new row (`i`) or change in an old one (`u`): the title, then the others as the table has them, keys that make themselves last. */
export function formFields(description: Description, relation: Relation, right: 'i' | 'u'): FormField[] {
  const title = titleOf(description, relation)
  return relation.columns
    .filter((column) => column.can.includes(right) && column.generated === undefined && column.identity !== 'always' && !notTyped.has(kindOf(column)))
    .map((column) => {
      const rules = rulesOf(description, relation, column)
      const oneOf = rules.find((rule) => rule.rule === 'one-of')
      const fk = foreignKeyShownAt(relation, column.name)
      const values = enumValues(description, column)
      return {
        column,
        label: columnLabel(relation, column),
        rules,
        required: right === 'i' ? column.required === true : column.not_null === true,
        choices: values.length > 0 ? values : kindOf(column) === 'text' && column.array !== true && oneOf?.rule === 'one-of' ? oneOf.values : [],
        picker: fk && pickerOf(description, fk),
        isTitle: title.from === 'column' && title.column === column.name,
      }
    })
    .toSorted((left, right) => rank(left) - rank(right))
}

// A key the project makes by itself is the last thing one wants to type.
const rank = ({ isTitle, column }: FormField): number => (isTitle ? 0 : column.identity !== undefined || column.default?.kind === 'uuid' || column.default?.kind === 'sequence' ? 2 : 1)

/** Everything wrong with the form, by column. */
export function findProblems(relation: Relation, fields: readonly FormField[], values: FieldValues): Map<string, Problem> {
  const problems = new Map<string, Problem>()
  for (const field of fields) {
    const problem = findProblem({ ...field, required: field.required && values[field.column.name] === undefined || field.column.required === true && values[field.column.name] === '' }, values[field.column.name])
    if (problem) problems.set(field.column.name, problem)
  }
  for (const rule of comparisonsOf(relation)) addComparison(problems, { fields, rule, values })
  return problems
}

function addComparison(problems: Map<string, Problem>, { fields, rule, values }: { fields: readonly FormField[]; rule: ComparisonRule; values: FieldValues }): void {
  // Shown at whichever of the two can be changed.
  const field = fields.find(({ column }) => column.name === rule.left) ?? fields.find(({ column }) => column.name === rule.right)
  const problem = field && findComparisonProblem(rule, values, field.column)
  if (!field || !problem || problems.has(field.column.name)) return
  problems.set(field.column.name, problem)
}

/** Columns of a composite key that other fields settle: what a picker must hold to, by referenced column. */
export function settledBy(relation: Relation, field: FormField, values: FieldValues): Record<string, string> {
  const fk = field.picker?.fk
  if (!fk || fk.columns.length < 2) return {}
  return Object.fromEntries(fk.columns.flatMap((name, index) => {
    const value = values[name]
    const to = fk.to[index]
    const isOwn = name === field.column.name || !foreignKeys(relation).some(({ columns }) => columns.length === 1 && columns[0] === name)
    return !isOwn && typeof value === 'string' && to !== undefined ? [[to, value]] : []
  }))
}

/** The reference a field's values make: undefined where part of a composite key is missing. */
export function referenceOf(field: FormField, values: FieldValues): string[] | null {
  const fk = field.picker?.fk
  const parts = (fk?.columns ?? []).map((name) => values[name])
  return parts.length > 0 && parts.every((part): part is string => typeof part === 'string' && part !== '') ? parts : null
}

/** A column that changes whenever the row does. */
export function changeMark(relation: Relation): string | undefined {
  return readableColumns(relation).find((column) => kindOf(column) === 'timestamptz' && /^(last_)?(updated|modified|changed)(_at|_on)?$|^(updated|modified)At$/.test(column.name))?.name
}
