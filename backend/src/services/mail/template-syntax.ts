/** What a template's braces hold: a value by its path, a literal, or a word applied to parts. */
export type Expression =
  | { kind: 'path'; names: readonly string[]; fromRoot: boolean }
  | { kind: 'literal'; value: string | number | boolean | null }
  | { kind: 'call'; name: string; parts: readonly Expression[] }

/** A piece of a template. */
export type Node =
  | { kind: 'text'; text: string }
  | { kind: 'value'; expression: Expression }
  | { kind: 'if' | 'with' | 'range'; expression: Expression; body: readonly Node[]; otherwise: readonly Node[] }

/** A template that cannot be read, with the line it fails on. */
export class TemplateError extends Error {
  override name = 'TemplateError'
}

type Piece = { text: string } | { action: string; line: number }

const actions = /\{\{(-?)\s*([\s\S]*?)\s*(-?)\}\}/g

function split(template: string): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  let trimNext = false
  const addText = (text: string, trimEnd: boolean) => {
    const shown = trimNext ? text.trimStart() : text
    pieces.push({ text: trimEnd ? shown.trimEnd() : shown })
  }
  for (const found of template.matchAll(actions)) {
    addText(template.slice(from, found.index), found[1] === '-')
    pieces.push({ action: found[2] ?? '', line: template.slice(0, found.index).split('\n').length })
    from = found.index + found[0].length
    trimNext = found[3] === '-'
  }
  addText(template.slice(from), false)
  return pieces
}

const tokens = /\s*("(?:[^"\\]|\\.)*"|`[^`]*`|-?\d+(?:\.\d+)?|\$?(?:\.[A-Za-z_]\w*)+|\$|\.|[A-Za-z_]\w*|[()|])/y

function tokenize(text: string): string[] {
  const found: string[] = []
  tokens.lastIndex = 0
  while (tokens.lastIndex < text.trimEnd().length) {
    const token = tokens.exec(text)?.[1]
    if (token === undefined) throw new TemplateError(`cannot read "${text}"`)
    found.push(token)
  }
  return found
}

const constants: Readonly<Record<string, boolean | null>> = { true: true, false: false, nil: null }

function readOperand(rest: string[]): Expression {
  const token = rest.shift()
  if (token === undefined) throw new TemplateError('a value is missing')
  if (token === '(') {
    const inside = readPipeline(rest)
    if (rest.shift() !== ')') throw new TemplateError('a closing parenthesis is missing')
    return inside
  }
  if (token.startsWith('"')) return { kind: 'literal', value: JSON.parse(token) as string }
  if (token.startsWith('`')) return { kind: 'literal', value: token.slice(1, -1) }
  if (/^-?\d/.test(token)) return { kind: 'literal', value: Number(token) }
  if (/^[$.]/.test(token)) return { kind: 'path', names: token.replace(/^\$/, '').split('.').filter(Boolean), fromRoot: token.startsWith('$') }
  if (Object.hasOwn(constants, token)) return { kind: 'literal', value: constants[token] ?? null }
  return { kind: 'call', name: token, parts: [] }
}

function readCommand(rest: string[]): Expression {
  const first = readOperand(rest)
  const parts: Expression[] = []
  while (rest.length > 0 && rest[0] !== '|' && rest[0] !== ')') parts.push(readOperand(rest))
  if (first.kind !== 'call') {
    if (parts.length > 0) throw new TemplateError('a value takes no parts')
    return first
  }
  return { ...first, parts: [...first.parts, ...parts] }
}

function readPipeline(rest: string[]): Expression {
  let expression = readCommand(rest)
  while (rest[0] === '|') {
    rest.shift()
    const next = readCommand(rest)
    if (next.kind !== 'call') throw new TemplateError('only a word can stand behind |')
    expression = { ...next, parts: [...next.parts, expression] }
  }
  return expression
}

function readExpression(text: string): Expression {
  const rest = tokenize(text)
  const expression = readPipeline(rest)
  if (rest.length > 0) throw new TemplateError(`cannot read "${text}"`)
  return expression
}

/** A run of nodes and what ended it; for an `else`, what stood behind the word. */
interface Run {
  body: Node[]
  ended: 'end' | 'text' | 'else'
  condition: string
  line: number
}

function readBlock(pieces: Piece[], { kind, condition, line }: { kind: 'if' | 'with' | 'range'; condition: string; line: number }): Node {
  const first = readNodes(pieces)
  if (first.ended === 'text') throw new TemplateError(`line ${line}: {{ ${kind} }} has no {{ end }}`)
  const expression = readExpression(condition)
  if (first.ended === 'end') return { kind, expression, body: first.body, otherwise: [] }
  const chained = /^(if|with)\s+([\s\S]+)$/.exec(first.condition)
  if (chained) {
    const next = { kind: chained[1] === 'with' ? ('with' as const) : ('if' as const), condition: chained[2] ?? '', line: first.line }
    return { kind, expression, body: first.body, otherwise: [readBlock(pieces, next)] }
  }
  const second = readNodes(pieces)
  if (second.ended !== 'end') throw new TemplateError(`line ${line}: {{ ${kind} }} has no {{ end }}`)
  return { kind, expression, body: first.body, otherwise: second.body }
}

function readNodes(pieces: Piece[]): Run {
  const body: Node[] = []
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
    if ('text' in piece) {
      body.push({ kind: 'text', text: piece.text })
      continue
    }
    const { action, line } = piece
    const block = /^(if|with|range)\s+([\s\S]+)$/.exec(action)
    if (action === 'end') return { body, ended: 'end', condition: '', line }
    if (/^else\b/.test(action)) return { body, ended: 'else', condition: action.slice(4).trim(), line }
    if (block) body.push(readBlock(pieces, { kind: block[1] as 'if' | 'with' | 'range', condition: block[2] ?? '', line }))
    else if (!action.startsWith('/*')) body.push({ kind: 'value', expression: readExpression(action) })
  }
  return { body, ended: 'text', condition: '', line: 0 }
}

/**
 * Reads the part of Go's template language that mails use: values, `if`/`else if`/`else`, `with`, `range`, pipes,
 * comparisons, `{{-` and `-}}`, comments.
 *
 * @throws `TemplateError`.
 */
export function parseTemplate(template: string): readonly Node[] {
  const read = readNodes(split(template))
  if (read.ended !== 'text') throw new TemplateError(`{{ ${read.ended} }} without a beginning`)
  return read.body
}
