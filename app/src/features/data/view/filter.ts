import type { ColumnDescription } from '#features/data/description/description.ts'
import { kindOf } from '#features/data/description/field-kind.ts'

/** One part of the sentence: "status is one of open, waiting". */
export interface Condition {
  column: string
  operator: Operator
  /** As typed or picked; of `path-…` the path comes first, steps joined by dots. */
  values: string[]
}

/** A row passes a part when any of its conditions holds, and the filter when every part passes. */
export interface FilterPart {
  any: Condition[]
}

export const operators = [
  'contains', 'not-contains', 'starts', 'ends', 'is', 'is-not', 'in', 'not-in', 'empty', 'not-empty',
  'equal', 'not-equal', 'more', 'at-least', 'less', 'at-most', 'between',
  'true', 'not-true', 'on', 'before', 'after', 'days-between',
  'today', 'yesterday', 'tomorrow', 'this-week', 'last-7-days', 'next-7-days', 'this-month', 'past', 'future',
  'has-all', 'has-any', 'has-none', 'path-is', 'path-contains', 'path-exists', 'json-contains', 'holds', 'overlaps', 'words',
  'null', 'not-null',
] as const

export type Operator = (typeof operators)[number]

export const isOperator = (word: string): word is Operator => operators.some((operator) => operator === word)

/** What one value of an operator is asked with. */
export type ValueInput = 'none' | 'one' | 'two' | 'many' | 'path' | 'path-and-one'

const inputs: Partial<Record<Operator, ValueInput>> = {
  in: 'many', 'not-in': 'many', 'has-all': 'many', 'has-any': 'many', 'has-none': 'many',
  between: 'two', 'days-between': 'two', 'path-is': 'path-and-one', 'path-contains': 'path-and-one', 'path-exists': 'path',
}
const withoutValue = new Set<Operator>([
  'empty', 'not-empty', 'true', 'not-true', 'today', 'yesterday', 'tomorrow', 'this-week', 'last-7-days', 'next-7-days', 'this-month', 'past', 'future', 'null', 'not-null',
])

export const inputOf = (operator: Operator): ValueInput => inputs[operator] ?? (withoutValue.has(operator) ? 'none' : 'one')

/** Whether the condition has all it needs to be asked; half-written ones wait. */
export function isComplete({ operator, values }: Condition): boolean {
  const given = values.filter((value) => value !== '').length
  switch (inputOf(operator)) {
    case 'none': return true
    case 'one': case 'path': case 'many': return given >= 1
    case 'two': return given >= 1
    case 'path-and-one': return values.length >= 2 && given >= 2
  }
}

const days: Operator[] = ['today', 'yesterday', 'tomorrow', 'this-week', 'last-7-days', 'next-7-days', 'this-month', 'past', 'future']

/** The operators a column can be asked with, the most wanted first. `isReference`: its values are other rows. */
export function operatorsFor(column: ColumnDescription, isReference: boolean): Operator[] {
  const nullable: Operator[] = column.not_null === true ? [] : ['null', 'not-null']
  return [...ownOperators(column, isReference), ...nullable]
}

function ownOperators(column: ColumnDescription, isReference: boolean): Operator[] {
  if (column.array === true) return ['has-any', 'has-all', 'has-none', 'empty', 'not-empty']
  if (isReference) return ['in', 'not-in']
  switch (kindOf(column)) {
    case 'text': return ['contains', 'not-contains', 'is', 'is-not', 'starts', 'ends', 'in', 'empty', 'not-empty']
    case 'integer': case 'decimal': case 'float': return ['equal', 'not-equal', 'more', 'at-least', 'less', 'at-most', 'between', 'in']
    case 'boolean': return ['true', 'not-true']
    case 'enum': return ['in', 'not-in']
    case 'date': case 'timestamp': case 'timestamptz': return ['on', 'before', 'after', 'days-between', ...days]
    case 'time': return ['equal', 'before', 'after']
    case 'uuid': return ['is', 'is-not', 'in']
    case 'json': return column.base === 'jsonb' ? ['path-is', 'path-contains', 'path-exists', 'json-contains'] : ['path-is', 'path-contains', 'path-exists']
    case 'range': return ['holds', 'overlaps']
    case 'search': return ['words']
    case 'binary': case 'composite': return []
    case 'other': return ['is', 'is-not']
  }
}
