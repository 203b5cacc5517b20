/** Where a view's column comes from: the number of a column of a relation. */
export interface ViewColumnOrigin {
  viewColumn: number
  relationOid: number
  relationColumn: number
}

/**
 * Reads the output columns of a view from its rewrite rule (`pg_rewrite.ev_action`), Postgres' own text form of a query.
 * Lists are in round brackets, nodes in curly ones; a backslash takes the meaning off the next character.
 */
export function readViewColumns(rule: string): ViewColumnOrigin[] {
  const list = findTargetList(rule)
  return list === undefined ? [] : splitNodes(list).flatMap(readEntry)
}

function skipQuoted(text: string, at: number): number {
  return text[at] === '\\' ? at + 2 : at + 1
}

const targetListLabel = ' :targetList '

// The outer query is the node at depth 1; the lists of its subqueries lie deeper.
function findTargetList(rule: string): string | undefined {
  let depth = 0
  for (let at = 0; at < rule.length; at = skipQuoted(rule, at)) {
    const character = rule[at]
    if (character === '{') depth += 1
    else if (character === '}') depth -= 1
    else if (depth === 1 && character === ' ' && rule.startsWith(targetListLabel, at)) {
      return readBracketed(rule, at + targetListLabel.length)
    }
  }
  return undefined
}

function readBracketed(text: string, start: number): string | undefined {
  if (text[start] !== '(') return undefined
  let depth = 0
  for (let at = start; at < text.length; at = skipQuoted(text, at)) {
    if (text[at] === '(') depth += 1
    else if (text[at] === ')' && (depth -= 1) === 0) return text.slice(start + 1, at)
  }
  return undefined
}

// The nodes of a list, each stripped of the nodes inside it, so that only its own labels are left.
function splitNodes(list: string): string[] {
  const nodes: string[] = []
  let depth = 0
  let own = ''
  for (let at = 0; at < list.length; at = skipQuoted(list, at)) {
    const character = list[at]!
    if (character === '{') depth += 1
    else if (character === '}') {
      depth -= 1
      if (depth === 0) {
        nodes.push(own)
        own = ''
      }
    } else if (depth === 1) own += character
  }
  return nodes
}

const numberAfter = (node: string, label: string): number => Number(new RegExp(` :${label} (\\d+)`).exec(node)?.[1] ?? 0)

function readEntry(node: string): ViewColumnOrigin[] {
  const relationOid = numberAfter(node, 'resorigtbl')
  if (relationOid === 0) return []
  return [{ viewColumn: numberAfter(node, 'resno'), relationOid, relationColumn: numberAfter(node, 'resorigcol') }]
}
