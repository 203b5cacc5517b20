/**
 * Compiles a glob of the redirect allow list. `*` and `?` stop at `.` and `/`, `**` does not;
 * `[abc]`, `[!abc]`, `[a-z]` and `{one,two}` work, `\` takes the next character as it is.
 *
 * @see gobwas/glob with separators `.` and `/`, as supabase/auth compiles `URI_ALLOW_LIST`
 */
export function compileGlob(glob: string): RegExp {
  let source = ''
  let depth = 0
  for (let at = 0; at < glob.length; at += 1) {
    const sign = glob[at] ?? ''
    if (sign === '\\') {
      at += 1
      source += literally(glob[at] ?? '')
    } else if (sign === '*') {
      const isSuper = glob[at + 1] === '*'
      if (isSuper) at += 1
      source += isSuper ? '[\\s\\S]*' : '[^./]*'
    } else if (sign === '?') source += '[^./]'
    else if (sign === '[') {
      const end = glob.indexOf(']', at + 2)
      if (end < 0) return matchNothing
      source += characterClass(glob.slice(at + 1, end))
      at = end
    } else if (sign === '{') {
      depth += 1
      source += '(?:'
    } else if (sign === '}' && depth > 0) {
      depth -= 1
      source += ')'
    } else source += sign === ',' && depth > 0 ? '|' : literally(sign)
  }
  return depth === 0 ? new RegExp(`^${source}$`) : matchNothing
}

const matchNothing = /(?!)/

const literally = (sign: string): string => sign.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

function characterClass(inside: string): string {
  const isNegated = inside.startsWith('!') || inside.startsWith('^')
  const body = (isNegated ? inside.slice(1) : inside).replace(/[\\\]^]/g, '\\$&')
  return `[${isNegated ? '^' : ''}${body}]`
}
