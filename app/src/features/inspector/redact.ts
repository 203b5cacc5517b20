/** What may be taken out of a text before others read it. Each is a key of the catalogue's `inspector.report.removed`. */
export type RemovedKind = 'token' | 'key' | 'email' | 'parameter' | 'filter' | 'id' | 'opaque'

export interface Redacted {
  text: string
  /** How many of each were taken out; those of which there were none are missing. */
  removed: ReadonlyMap<RemovedKind, number>
}

const secretParameters = /([?&;](?:token|token_hash|access_token|refresh_token|provider_token|id_token|apikey|code|code_challenge|code_verifier|state|email|phone|password|secret|signature|key)=)([^&#\s"'…]+)/gi
/** Parameters that say how to read, not what: all others hold data. The operator of a filter (`eq.`, `not.ilike.`) stays. */
const filters = /([?&](?!(?:select|order|limit|offset|on_conflict|columns|resolution|download|width|height|quality|resize|forceFunctionRegion)=)[^=&#\s"']+=(?:(?:not\.)?[a-z]{2,10}(?:\([a-z]+\))?\.(?=.))?)([^&#\s"'…]+)/g

/** In the order they are sought: what is more exact goes first. */
const patterns: readonly [kind: RemovedKind, pattern: RegExp, replacement: string | ((...match: string[]) => string)][] = [
  ['token', /\beyJ[\w-]{5,}\.[\w-]+(?:\.[\w-]*){0,3}/g, '[token]'],
  ['token', /\bbase64-[\w+/=-]{8,}/g, '[token]'],
  ['token', /\b(Bearer|Basic)\s+(?!\$|\[)[^\s"',]{6,}/gi, (_, scheme) => `${scheme} [token]`],
  ['key', /\bsb_(publishable|secret|temp)_[\w-]+/g, (_, kind) => `sb_${kind}_[key]`],
  ['parameter', /\/\/[^/\s:@"']+:[^/\s@"']+@/g, '//[password]@'],
  ['parameter', secretParameters, (_, name) => `${name}…`],
  ['filter', filters, (_, name) => `${name}…`],
  ['email', /[\p{L}\p{N}._+'-]+(?:@|%40)[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu, maskEmail],
  ['id', /\b([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, (_, start) => `${start}-…`],
  // A run this long without a blank is no word: a token of a kind nobody has named.
  ['opaque', /(?<![\w/-])[\w-]{40,}(?![\w/-])/g, '[…]'],
]

/** `ada.lovelace@mail.example` is `a…@m….example`: people who know the address will know it again. */
function maskEmail(address: string): string {
  const [name = '', host = ''] = address.split(/@|%40/)
  return `${name.slice(0, 1)}…@${host.slice(0, 1)}….${host.split('.').at(-1) ?? ''}`
}

/**
 * Takes out of a text what must not reach a bug tracker: tokens, keys, passwords, e-mail addresses, values of filters.
 *
 * @param known values of which not even a part may stand, whatever they look like: a key, a person's address
 */
export function redact(text: string, known: readonly string[] = []): Redacted {
  const removed = new Map<RemovedKind, number>()
  const count = (kind: RemovedKind) => removed.set(kind, (removed.get(kind) ?? 0) + 1)
  let left = text
  for (const value of known) {
    if (value.length < 4) continue
    const kind = value.includes('@') ? 'email' : 'key'
    left = left.split(value).reduce((whole, part) => (count(kind), `${whole}${kind === 'email' ? maskEmail(value) : '[key]'}${part}`))
  }
  for (const [kind, pattern, replacement] of patterns) {
    left = left.replace(pattern, (...match: string[]) => {
      count(kind)
      return typeof replacement === 'string' ? replacement : replacement(...match)
    })
  }
  return { text: left, removed }
}
