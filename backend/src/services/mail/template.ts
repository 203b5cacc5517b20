import { escapeHtml, insertIntoHtml } from './html-context.ts'
import { parseTemplate, type Expression, type Node } from './template-syntax.ts'

/** What a template can name: `{{ .Email }}`, `{{ .Data.name }}`. */
export type TemplateVariables = Readonly<Record<string, unknown>>

type Put = (written: string, value: string) => string

const isTrue = (value: unknown): boolean => {
  if (value === null || value === undefined || value === false || value === 0 || value === '') return false
  return typeof value === 'object' ? Object.keys(value).length > 0 : true
}

function show(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

// Own members only: a template must not reach what objects inherit.
const member = (value: unknown, name: unknown): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, String(name)) ? (value as Record<string, unknown>)[String(name)] : undefined

type Word = (parts: readonly unknown[]) => unknown

const words: Readonly<Record<string, Word>> = {
  eq: ([first, ...others]) => others.some((one) => one === first),
  ne: ([first, second]) => first !== second,
  lt: ([first, second]) => Number(first) < Number(second),
  gt: ([first, second]) => Number(first) > Number(second),
  not: ([first]) => !isTrue(first),
  and: (parts) => parts.find((one) => !isTrue(one)) ?? parts.at(-1),
  or: (parts) => parts.find(isTrue) ?? parts.at(-1),
  len: ([first]) => (typeof first === 'string' || Array.isArray(first) ? first.length : Object.keys(first ?? {}).length),
  index: ([first, ...path]) => path.reduce(member, first),
  print: (parts) => parts.map(show).join(''),
  urlquery: (parts) => encodeURIComponent(parts.map(show).join('')),
  html: (parts) => parts.map(show).join(''),
}

interface Scope {
  root: unknown
  dot: unknown
}

function evaluate(expression: Expression, scope: Scope): unknown {
  switch (expression.kind) {
    case 'literal':
      return expression.value
    case 'path': {
      return expression.names.reduce<unknown>(member, expression.fromRoot ? scope.root : scope.dot)
    }
    case 'call':
      return (words[expression.name] ?? (() => undefined))(expression.parts.map((part) => evaluate(part, scope)))
  }
}

function write(nodes: readonly Node[], into: { written: string; scope: Scope; put: Put }): string {
  let { written } = into
  for (const node of nodes) {
    if (node.kind === 'text') written += node.text
    else if (node.kind === 'value') written = into.put(written, show(evaluate(node.expression, into.scope)))
    else written = writeBlock(node, { ...into, written })
  }
  return written
}

function writeBlock(node: Exclude<Node, { kind: 'text' | 'value' }>, into: { written: string; scope: Scope; put: Put }): string {
  const value = evaluate(node.expression, into.scope)
  if (!isTrue(value)) return write(node.otherwise, into)
  if (node.kind === 'if') return write(node.body, into)
  if (node.kind === 'with') return write(node.body, { ...into, scope: { ...into.scope, dot: value } })
  return Object.values(value as object).reduce<string>((written, dot) => write(node.body, { ...into, written, scope: { ...into.scope, dot } }), into.written)
}

function render(template: string, variables: TemplateVariables, put: Put): string {
  return write(parseTemplate(template), { written: '', scope: { root: variables, dot: variables }, put })
}

/**
 * Fills an HTML template: what a value may do depends on where it stands, so that nobody's name becomes a tag,
 * a script or another link.
 *
 * @throws `TemplateError` when the template cannot be read.
 */
export const renderHtml = (template: string, variables: TemplateVariables): string => render(template, variables, insertIntoHtml)

/** Fills a one-line text template: a subject. Line ends become blanks, since they would begin another header. */
export const renderLine = (template: string, variables: TemplateVariables): string =>
  render(template, variables, (written, value) => written + value)
    .replace(/[\r\n\t]+/g, ' ')
    .trim()

export { escapeHtml }
