import { parseCheck, type Expression } from './check-expression.ts'
import type { ColumnDescription, Description, RelationDescription } from './description.ts'

export type Bound = { value: string; exclusive: boolean }

/** What a value must satisfy, read from the project's own checks. Null passes every rule, as it does in Postgres. */
export type Rule =
  /** Characters; `trimmed`: spaces at both ends do not count. */
  | { rule: 'length'; minimum?: number; maximum?: number; trimmed: boolean }
  /** Numbers as decimal text, dates as ISO text. */
  | { rule: 'range'; minimum?: Bound; maximum?: Bound }
  | { rule: 'one-of'; values: string[] }
  | { rule: 'none-of'; values: string[] }
  | { rule: 'pattern'; source: string; ignoreCase: boolean; negated: boolean }
  | { rule: 'items'; minimum?: number; maximum?: number }
  | { rule: 'json-type'; type: string }
  | { rule: 'present' }

/** Two columns of one row compared, such as `ends_at > starts_at`. */
export interface ComparisonRule {
  left: string
  operator: '<' | '<=' | '>' | '>=' | '=' | '<>'
  right: string
  /** The constraint it comes from. */
  name: string
}

/** Rules of one column: the relation's checks that speak of it alone, and those of its domain. */
export function rulesOf(description: Description, relation: RelationDescription, column: ColumnDescription): Rule[] {
  const own = (relation.checks ?? [])
    .filter(({ columns }) => columns.length === 1 && columns[0] === column.name)
    .flatMap(({ expr }) => rulesIn(expr, column.name))
  return merge([...own, ...domainRules(description, column.type)])
}

function domainRules(description: Description, type: string, depth = 0): Rule[] {
  const domain = depth < 8 ? description.types?.[type] : undefined
  if (domain?.kind !== 'domain') return []
  const inherited = domain.base === undefined ? [] : domainRules(description, domain.base, depth + 1)
  return [...(domain.checks ?? []).flatMap(({ expr }) => rulesIn(expr, 'VALUE')), ...inherited]
}

/** Comparisons between two columns, for the whole form. */
export function comparisonsOf(relation: RelationDescription): ComparisonRule[] {
  return (relation.checks ?? []).flatMap(({ expr, name }) => {
    const parsed = parseCheck(expr)
    return parsed ? conjuncts(parsed).flatMap((part) => readComparison(unlessNull(part), name)) : []
  })
}

function readComparison(part: Expression, name: string): ComparisonRule[] {
  if (part.is !== 'compare' || part.left.is !== 'column' || part.right.is !== 'column') return []
  const { operator } = part
  return isOrder(operator) ? [{ left: part.left.name, operator, right: part.right.name, name }] : []
}

const isOrder = (operator: string): operator is ComparisonRule['operator'] => ['<', '<=', '>', '>=', '=', '<>'].includes(operator)

/** Reads the rules one expression lays on the column; parts it cannot say are left to the server. */
export function rulesIn(expression: string, column: string): Rule[] {
  const parsed = parseCheck(expression)
  return parsed ? conjuncts(parsed).flatMap((part) => readRule(unlessNull(part), column)) : []
}

const conjuncts = (expression: Expression): Expression[] =>
  expression.is === 'all' ? expression.parts.flatMap(conjuncts) : [expression]

// `x is null or …` says nothing beyond `…`: null passes a check anyway.
function unlessNull(expression: Expression): Expression {
  if (expression.is !== 'any') return expression
  const rest = expression.parts.filter((part) => !(part.is === 'null-test' && !part.negated))
  const [only] = rest
  return rest.length === 1 && only ? only : { is: 'any', parts: rest }
}

function readRule(part: Expression, column: string): Rule[] {
  switch (part.is) {
    case 'null-test':
      return part.negated && isColumn(part.of, column) ? [{ rule: 'present' }] : []
    case 'member':
      return part.operator === '=' && isColumn(part.left, column) ? oneOf(part.items) : []
    case 'any':
      return alternatives(part.parts, column)
    case 'compare':
      return compared(part, column)
    default:
      return []
  }
}

function oneOf(items: Expression[]): Rule[] {
  const values = items.flatMap((item) => (item.is === 'literal' ? [item.value] : []))
  return values.length === items.length && values.length > 0 ? [{ rule: 'one-of', values }] : []
}

// `status = 'a' or status = 'b'`
function alternatives(parts: Expression[], column: string): Rule[] {
  const equals = parts.every((part) => part.is === 'compare' && part.operator === '=' && isColumn(part.left, column))
  return equals ? oneOf(parts.map((part) => (part.is === 'compare' ? part.right : part))) : []
}

const mirrored: Record<string, string> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=', '<>': '<>' }

function compared(part: Expression & { is: 'compare' }, column: string): Rule[] {
  if (part.right.is === 'literal') return measured(part.left, part.operator, { column, value: part.right.value })
  const operator = mirrored[part.operator]
  if (part.left.is === 'literal' && operator !== undefined) return measured(part.right, operator, { column, value: part.left.value })
  return []
}

function measured(measure: Expression, operator: string, { column, value }: { column: string; value: string }): Rule[] {
  if (isColumn(measure, column)) return comparedValue(operator, value)
  if (measure.is !== 'call') return []
  if (measure.name === 'coalesce' && measure.args[0]) return measured(measure.args[0], operator, { column, value })
  const [of] = measure.args
  const trimmed = of?.is === 'call' && (of.name === 'trim' || of.name === 'btrim') && of.args.length === 1
  const inner = trimmed ? of.args[0] : of
  if (inner === undefined || !isColumn(inner, column)) return []
  const name = measure.name
  if (name === 'trim' || name === 'btrim') return value === '' && operator === '<>' ? [{ rule: 'length', minimum: 1, trimmed: true }] : []
  if (name === 'jsonb_typeof' || name === 'json_typeof') return operator === '=' ? [{ rule: 'json-type', type: value }] : []
  const bounds = wholeBounds(operator, Number(value))
  if (!bounds) return []
  if (['length', 'char_length', 'character_length'].includes(name)) return [{ rule: 'length', trimmed, ...bounds }]
  // The length of an empty array is null, which passes.
  if (name === 'array_length') return bounds.maximum === undefined ? [] : [{ rule: 'items', maximum: bounds.maximum }]
  return name === 'cardinality' ? [{ rule: 'items', ...bounds }] : []
}

function comparedValue(operator: string, value: string): Rule[] {
  switch (operator) {
    case '>': return [{ rule: 'range', minimum: { value, exclusive: true } }]
    case '>=': return [{ rule: 'range', minimum: { value, exclusive: false } }]
    case '<': return [{ rule: 'range', maximum: { value, exclusive: true } }]
    case '<=': return [{ rule: 'range', maximum: { value, exclusive: false } }]
    case '=': return [{ rule: 'one-of', values: [value] }]
    case '<>': return value === '' ? [{ rule: 'length', minimum: 1, trimmed: false }] : [{ rule: 'none-of', values: [value] }]
    case '~': case '~*': case '!~': case '!~*': return pattern(operator, value)
    default: return []
  }
}

// Postgres patterns this browser reads the same way; the others are left to the server.
function pattern(operator: string, value: string): Rule[] {
  if (/\\[mMyYAZ]|\[\[[:.=]|\(\?[^:=!<]|^\*\*\*/.test(value)) return []
  try {
    void new RegExp(value, 'u')
  } catch {
    return []
  }
  return [{ rule: 'pattern', source: value, ignoreCase: operator.includes('*'), negated: operator.startsWith('!') }]
}

function wholeBounds(operator: string, value: number): { minimum?: number; maximum?: number } | undefined {
  if (!Number.isFinite(value)) return undefined
  switch (operator) {
    case '>': return { minimum: value + 1 }
    case '>=': return { minimum: value }
    case '<': return { maximum: value - 1 }
    case '<=': return { maximum: value }
    case '=': return { minimum: value, maximum: value }
    default: return undefined
  }
}

const isColumn = (expression: Expression, column: string): boolean => expression.is === 'column' && expression.name === column

// `>= 1` and `<= 5` are two conjuncts of one rule.
function merge(rules: Rule[]): Rule[] {
  const merged: Rule[] = []
  for (const next of rules) {
    const at = merged.findIndex((rule) => joins(rule, next))
    if (at < 0) merged.push(next)
    else merged[at] = { ...merged[at], ...next } as Rule
  }
  return merged
}

function joins(rule: Rule, next: Rule): boolean {
  if (rule.rule !== next.rule || !['length', 'range', 'items'].includes(rule.rule)) return false
  if (rule.rule === 'length' && next.rule === 'length' && rule.trimmed !== next.trimmed) return false
  return !('minimum' in rule && 'minimum' in next) && !('maximum' in rule && 'maximum' in next)
}
