/** One place of `redirects` in `portico.json` that is none; `code` is a key of the catalogue's `connect.faults`. */
export interface RedirectFault {
  at: string
  code: 'redirects' | 'redirect-rule'
}

/** What reading `redirects` gives: every fault at once, what is faulty left out. */
export type ReadRedirects = (value: unknown, at: string) => { redirects?: readonly string[]; faults: readonly RedirectFault[] }

// A scheme, a host whose first label alone may be any, a port, and a path of whole parts.
const rule = /^https?:\/\/(\*\.)?[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?(\/[\w.~%!$&'()+,;=:@-]*|\/\*{1,2})*$/i

/** `https://*.com/**` would let anyone in who buys a name. */
const isTooWide = (text: string): boolean => /^https?:\/\/\*\.[^./:]+([:/]|$)/i.test(text)

const isRule = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 500 && rule.test(value) && !isTooWide(value) && !/\*\*./.test(value) && URL.canParse(value.replace('*.', 'x.'))

/** Reads `redirects`: the addresses of sibling apps that people may be sent on to after signing in here. */
export const readRedirects: ReadRedirects = (value, at) => {
  if (!Array.isArray(value)) return { faults: [{ at, code: 'redirects' }] }
  const faults = value.flatMap((entry: unknown, index) => (isRule(entry) ? [] : [{ at: `${at}[${index}]`, code: 'redirect-rule' as const }]))
  return { redirects: value.filter(isRule), faults }
}
