import type { ColumnDescription } from '#features/data/description/description.ts'
import { isMoment, isNumeric, kindOf } from '#features/data/description/field-kind.ts'
import type { ComparisonRule, Rule } from '#features/data/description/rules.ts'
import { compareDecimals, digitsOf, isDecimal } from './decimal.ts'
import { isHeldAsJson, isJsonText, type FieldValue, type FieldValues } from './field-value.ts'

/** What is wrong with a field; the words are the catalogue's. */
export type Problem =
  | { problem: 'required' }
  | { problem: 'too-short' | 'too-long'; characters: number }
  | { problem: 'not-a-number' | 'not-whole' | 'not-a-uuid' | 'not-a-moment' | 'not-json' | 'pattern' }
  | { problem: 'too-precise'; digits: number }
  | { problem: 'out-of-range'; minimum?: string | undefined; maximum?: string | undefined }
  | { problem: 'at-least' | 'at-most' | 'more-than' | 'less-than'; bound: string }
  | { problem: 'not-one-of'; values: readonly string[] }
  | { problem: 'not-allowed'; value: string }
  | { problem: 'too-few' | 'too-many'; items: number }
  | { problem: 'json-type'; type: string }
  | { problem: 'compared'; operator: ComparisonRule['operator']; other: string }

export interface FieldRules {
  column: ColumnDescription
  rules: readonly Rule[]
  /** The value may not be left out: a new row, and nothing fills it in. */
  required: boolean
}

const wholeRanges: Record<string, [string, string]> = {
  int2: ['-32768', '32767'],
  int4: ['-2147483648', '2147483647'],
  int8: ['-9223372036854775808', '9223372036854775807'],
}

/** Finds the first thing wrong with a value, as the project would. Undefined when nothing is, or only the project can tell. */
export function findProblem({ column, rules, required }: FieldRules, value: FieldValue): Problem | undefined {
  if (value === undefined) return required ? { problem: 'required' } : undefined
  if (value === null) return column.not_null === true || rules.some(({ rule }) => rule === 'present') ? { problem: 'required' } : undefined
  if (value === '' && required) return { problem: 'required' }
  return typeProblem(column, value) ?? firstOf(rules, (rule) => ruleProblem(column, rule, value))
}

function typeProblem(column: ColumnDescription, value: NonNullable<FieldValue>): Problem | undefined {
  if (typeof value === 'boolean') return undefined
  if (Array.isArray(value)) return firstOf(value, (item) => typeProblem({ ...column, array: undefined } as unknown as ColumnDescription, item))
  if (isHeldAsJson(column, value)) return parses(value) ? undefined : { problem: 'not-json' }
  const kind = kindOf(column)
  if (isNumeric(kind)) return numberProblem(column, value.trim())
  if (kind === 'uuid') return /^\{?[\da-f]{8}(-?[\da-f]{4}){3}-?[\da-f]{12}\}?$/i.test(value.trim()) ? undefined : { problem: 'not-a-uuid' }
  if (isMoment(kind)) return isReadableMoment(value) ? undefined : { problem: 'not-a-moment' }
  if (kind === 'text' && column.max_length !== undefined && length(value) > column.max_length) return { problem: 'too-long', characters: column.max_length }
  return undefined
}

// Beside dates Postgres knows `infinity`, `epoch` and years before Christ.
const isReadableMoment = (text: string): boolean =>
  /^(-?infinity|epoch)$|BC$/i.test(text.trim()) || (/^[+-]?\d{4,6}-\d{2}-\d{2}/.test(text) && !Number.isNaN(Date.parse(text.replace(' ', 'T'))))

function numberProblem(column: ColumnDescription, text: string): Problem | undefined {
  const kind = kindOf(column)
  if (kind === 'float') return text !== '' && (Number.isFinite(Number(text)) || /^([+-]?infinity|nan)$/i.test(text)) ? undefined : { problem: 'not-a-number' }
  if (kind === 'decimal' && /^[+-]?(\d+\.?\d*|\.\d+)e[+-]?\d+$/i.test(text)) return undefined
  if (!isDecimal(text)) return { problem: 'not-a-number' }
  if (kind === 'integer') return wholeProblem(column, text)
  const digits = digitsOf(text)
  if (digits && column.scale !== undefined && digits.after > column.scale) return { problem: 'too-precise', digits: column.scale }
  if (digits && column.precision !== undefined && digits.before > column.precision - (column.scale ?? 0)) {
    const most = '9'.repeat(Math.max(1, column.precision - (column.scale ?? 0)))
    return { problem: 'out-of-range', minimum: `-${most}`, maximum: most }
  }
  return undefined
}

function wholeProblem(column: ColumnDescription, text: string): Problem | undefined {
  if (!/^[+-]?\d+$/.test(text)) return { problem: 'not-whole' }
  const [minimum, maximum] = wholeRanges[column.base] ?? []
  if (minimum === undefined || maximum === undefined) return undefined
  return compareDecimals(text, minimum) < 0 || compareDecimals(text, maximum) > 0 ? { problem: 'out-of-range', minimum, maximum } : undefined
}

function ruleProblem(column: ColumnDescription, rule: Rule, value: NonNullable<FieldValue>): Problem | undefined {
  switch (rule.rule) {
    case 'items':
      return Array.isArray(value) ? countProblem(value.length, rule) : undefined
    case 'json-type':
      return typeof value === 'string' && isJsonText(column) && jsonType(value) !== rule.type ? { problem: 'json-type', type: rule.type } : undefined
    case 'present':
      return undefined
    default:
      return typeof value === 'string' ? textProblem(column, rule, value) : undefined
  }
}

function countProblem(count: number, { minimum, maximum }: { minimum?: number; maximum?: number }): Problem | undefined {
  if (minimum !== undefined && count < minimum) return { problem: 'too-few', items: minimum }
  return maximum !== undefined && count > maximum ? { problem: 'too-many', items: maximum } : undefined
}

function textProblem(column: ColumnDescription, rule: Exclude<Rule, { rule: 'items' | 'json-type' | 'present' }>, value: string): Problem | undefined {
  switch (rule.rule) {
    case 'length': {
      const characters = length(rule.trimmed ? value.trim() : value)
      if (rule.minimum !== undefined && characters < rule.minimum) return { problem: 'too-short', characters: rule.minimum }
      return rule.maximum !== undefined && characters > rule.maximum ? { problem: 'too-long', characters: rule.maximum } : undefined
    }
    case 'one-of':
      return rule.values.some((allowed) => sameValue(column, allowed, value)) ? undefined : { problem: 'not-one-of', values: rule.values }
    case 'none-of':
      return rule.values.some((refused) => sameValue(column, refused, value)) ? { problem: 'not-allowed', value } : undefined
    case 'pattern':
      // Postgres reads a text of any length; a browser must not hang on one.
      return value.length > 2000 || new RegExp(rule.source, rule.ignoreCase ? 'iu' : 'u').test(value) !== rule.negated ? undefined : { problem: 'pattern' }
    case 'range':
      return rangeProblem(column, rule, value)
  }
}

const sameValue = (column: ColumnDescription, left: string, right: string): boolean =>
  isNumeric(kindOf(column)) ? compareDecimals(left, right.trim()) === 0 : left === right

function rangeProblem(column: ColumnDescription, { minimum, maximum }: Extract<Rule, { rule: 'range' }>, value: string): Problem | undefined {
  const compare = comparerOf(column)
  if (!compare) return undefined
  if (minimum && (compare(value, minimum.value) < 0 || (minimum.exclusive && compare(value, minimum.value) === 0))) {
    return { problem: minimum.exclusive ? 'more-than' : 'at-least', bound: minimum.value }
  }
  if (maximum && (compare(value, maximum.value) > 0 || (maximum.exclusive && compare(value, maximum.value) === 0))) {
    return { problem: maximum.exclusive ? 'less-than' : 'at-most', bound: maximum.value }
  }
  return undefined
}

// How the column's type orders two texts; undefined where only Postgres knows.
function comparerOf(column: ColumnDescription): ((left: string, right: string) => number) | undefined {
  const kind = kindOf(column)
  if (isNumeric(kind)) return (left, right) => compareDecimals(left.trim(), right)
  return isMoment(kind) ? (left, right) => Date.parse(left.replace(' ', 'T')) - Date.parse(right.replace(' ', 'T')) : undefined
}

/** Checks two columns against each other; the problem belongs to the first. */
export function findComparisonProblem(rule: ComparisonRule, values: FieldValues, column: ColumnDescription | undefined): Problem | undefined {
  const [left, right] = [values[rule.left], values[rule.right]]
  const compare = column && comparerOf(column)
  if (typeof left !== 'string' || typeof right !== 'string' || left === '' || right === '' || !compare) return undefined
  const order = compare(left, right)
  const holds = { '<': order < 0, '<=': order <= 0, '>': order > 0, '>=': order >= 0, '=': order === 0, '<>': order !== 0 }[rule.operator]
  return holds ? undefined : { problem: 'compared', operator: rule.operator, other: rule.right }
}

// Postgres counts code points.
const length = (text: string): number => Array.from(text).length

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function jsonType(text: string): string {
  if (!parses(text)) return ''
  const value: unknown = JSON.parse(text)
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

function firstOf<Item>(items: readonly Item[], find: (item: Item) => Problem | undefined): Problem | undefined {
  for (const item of items) {
    const found = find(item)
    if (found) return found
  }
  return undefined
}
