const parts = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s"[\]{}:,]+/g

/**
 * Lays JSON out over lines, or undefined when it is none. The text is moved, not parsed and written anew: numbers too long for
 * a double, repeated keys and escapes stay as the function sent them.
 */
export function prettyJson(text: string): string | undefined {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const out: string[] = []
  let depth = 0
  let before = ''
  for (const [part] of text.matchAll(parts)) {
    const isEnd = part === '}' || part === ']'
    if (isEnd) depth -= 1
    const opens = before === '{' || before === '['
    if ((opens && !isEnd) || before === ',' || (isEnd && !opens)) out.push('\n', '  '.repeat(depth))
    if (before === ':') out.push(' ')
    out.push(part)
    if (part === '{' || part === '[') depth += 1
    before = part
  }
  return out.join('')
}
