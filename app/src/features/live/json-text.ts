export type JsonReading = { ok: true; value: unknown } | { ok: false; where: string }

/** Reads JSON that a person wrote; what is wrong is told by its place, `line:column`. */
export function readJson(text: string): JsonReading {
  try {
    return { ok: true, value: JSON.parse(text) as unknown }
  } catch {
    const before = text.slice(0, faultAt(text)).split('\n')
    return { ok: false, where: `${before.length}:${(before.at(-1)?.length ?? 0) + 1}` }
  }
}

export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const scalar = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/yu
const name = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"\s*:/yu
const blank = /[ \t\n\r]*/y

/** Where a text stops being JSON. Browsers say so each in their own words, or not at all. */
function faultAt(text: string): number {
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found !== null
  }
  const skip = () => take(blank)
  const takeSign = (sign: string): boolean => {
    skip()
    if (text[at] !== sign) return false
    at += 1
    return true
  }
  const takeList = (end: string, takePart: () => boolean): boolean => {
    if (takeSign(end)) return true
    do {
      if (!takePart()) return false
    } while (takeSign(','))
    return takeSign(end)
  }
  const takeValue = (): boolean => {
    if (takeSign('{')) return takeList('}', () => (skip(), take(name)) && takeValue())
    if (takeSign('[')) return takeList(']', takeValue)
    skip()
    return take(scalar)
  }
  if (takeValue()) skip()
  return at
}
