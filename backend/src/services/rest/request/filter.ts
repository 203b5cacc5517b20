import { filterExpression } from './grammar.ts'
import { option, parse } from './parser.ts'
import type { Filter, Operation, QuantifiableOperator, Quantifier, SimpleOperator } from './query.ts'
import { arrayText, patternText } from './operand.ts'

type Expression = Omit<Filter, 'field'>

const simple = /^(not\.)?(neq|cs|cd|ov|sl|sr|nxr|nxl|adj)\.([^]*)$/
const quantifiable = /^(not\.)?(eq|gte|gt|lte|lt|like|ilike|match|imatch)(?:\((any|all)\))?\.([^]*)$/
// Nothing quoted and no blanks at the brackets, which the grammar treats specially.
const plainList = /^(not\.)?in\.\((?![ \t])([^")]*)\)$/

function readQuantifiable(match: RegExpExecArray): Expression {
  const operator = match[2] as QuantifiableOperator
  const text = match[4]!
  const value = operator === 'like' || operator === 'ilike' ? patternText(text) : text
  const quantifier = match[3] as Quantifier | undefined
  return { negated: match[1] !== undefined, operation: { kind: 'quantifiable', operator, value, ...(quantifier === undefined ? {} : { quantifier }) } }
}

// The common filters, without the grammar's machinery; what does not match is left to it.
function readPlainly(text: string): Expression | undefined {
  const compared = quantifiable.exec(text)
  if (compared) return readQuantifiable(compared)
  const other = simple.exec(text)
  if (other) return { negated: other[1] !== undefined, operation: { kind: 'simple', operator: other[2] as SimpleOperator, value: other[3]! } }
  const list = plainList.exec(text)
  return list ? { negated: list[1] !== undefined, operation: { kind: 'in', value: arrayText(list[2]!.split(',')) } } : undefined
}

const filterOrArgument = option(filterExpression, undefined)

/** Reads `not.eq.5`. For a function call, undefined when the text is no filter but an argument. */
export function parseFilterText(text: string, callsFunction: boolean): Expression | undefined {
  const plain = readPlainly(text)
  if (plain) return plain
  return parse(callsFunction ? filterOrArgument : filterExpression, `failed to parse filter (${text})`, text)
}

/** A filter without its value: filters alike but for that are planned alike. */
export function filterShape({ negated, operation }: Expression): string {
  const operator = 'operator' in operation ? operation.operator : ''
  const detail = operation.kind === 'quantifiable' ? operation.quantifier : operation.kind === 'search' ? operation.language : undefined
  // What stands after `is` is SQL, not a value.
  const word = operation.kind === 'is' ? operation.value : ''
  return `${negated ? '!' : ''}${operation.kind} ${operator} ${detail ?? ''} ${word}`
}

export const withValue = (operation: Operation, value: string): Operation => (operation.kind === 'is' ? operation : { ...operation, value })
