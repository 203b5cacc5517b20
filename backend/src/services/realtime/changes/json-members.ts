const quote = 0x22
const backslash = 0x5c
const openers = new Set([0x7b, 0x5b])
const closers = new Set([0x7d, 0x5d])

function endOfString(text: string, at: number): number {
  for (let index = at + 1; ; index += 1) {
    const code = text.charCodeAt(index)
    if (code === quote) return index + 1
    if (code === backslash) index += 1
    if (index >= text.length) return text.length
  }
}

/** Where the value that begins at `at` ends: at the comma or brace behind it. */
function endOfValue(text: string, at: number): number {
  let depth = 0
  let index = at
  while (index < text.length) {
    const code = text.charCodeAt(index)
    if (code === quote) {
      index = endOfString(text, index)
      continue
    }
    if (openers.has(code)) depth += 1
    else if (closers.has(code)) {
      if (depth === 0) return index
      depth -= 1
    } else if (code === 0x2c && depth === 0) return index
    index += 1
  }
  return index
}

const isBlank = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

function skipBlanks(text: string, at: number): number {
  let index = at
  while (isBlank(text.charCodeAt(index))) index += 1
  return index
}

/** The members of a JSON object with their values as they are written, so that no number loses a digit. */
export function jsonMembers(text: string): Map<string, string> {
  const members = new Map<string, string>()
  let at = skipBlanks(text, text.indexOf('{') + 1)
  while (text.charCodeAt(at) === quote) {
    const afterName = endOfString(text, at)
    const name = JSON.parse(text.slice(at, afterName)) as string
    const from = skipBlanks(text, text.indexOf(':', afterName) + 1)
    const to = endOfValue(text, from)
    members.set(name, text.slice(from, to).trimEnd())
    at = skipBlanks(text, to + 1)
  }
  return members
}

/** Writes members back as an object. */
export const jsonObject = (members: Iterable<readonly [string, string]>): string =>
  `{${Array.from(members, ([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
