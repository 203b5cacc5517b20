import { home, safePath } from './redirects.ts'

/** Where a person goes on to: a path of this app, an address of a sibling app the operator has listed, or nowhere. */
export type Onward = { kind: 'here'; path: string } | { kind: 'sibling'; address: string; host: string } | { kind: 'refused'; host: string }

// oxlint-disable-next-line no-control-regex -- they are what is looked for
const unclear = /[\\\u0000-\u0020\u007f-\u009f]/

function readAddress(target: string): URL | undefined {
  if (target.length > 2000 || unclear.test(target) || !/^https?:\/\/[^/]/i.test(target) || !URL.canParse(target)) return undefined
  const url = new URL(target)
  return url.username === '' && url.password === '' ? url : undefined
}

interface Rule {
  protocol: string
  /** Without the `*.` of `anyLabel`. */
  host: string
  anyLabel: boolean
  parts: readonly string[]
}

function readRule(text: string): Rule | undefined {
  const anyLabel = /^https?:\/\/\*\./i.test(text)
  const plain = anyLabel ? text.replace('*.', '') : text
  if (!URL.canParse(plain)) return undefined
  const { protocol, host, pathname } = new URL(plain)
  return { protocol, host, anyLabel, parts: pathname.split('/').slice(1) }
}

const isHost = ({ host, anyLabel }: Rule, given: string): boolean =>
  anyLabel ? given.endsWith(`.${host}`) && /^[a-z0-9-]+$/.test(given.slice(0, -host.length - 1)) : given === host

function isPath({ parts }: Rule, pathname: string): boolean {
  const given = pathname.split('/').slice(1)
  const isOpen = parts.at(-1) === '**'
  const fixed = isOpen ? parts.slice(0, -1) : parts
  // Servers differ in when they read `%2f`, `%5c` and `%2e`: below a path that is a wall it could lead over it.
  if (fixed.length > 0 && /%(?:2f|5c|2e)/i.test(pathname)) return false
  if (isOpen ? given.length < fixed.length : given.length !== fixed.length) return false
  return fixed.every((part, at) => (part === '*' ? given[at] !== '' : part === given[at]))
}

/** Whether a rule of `portico.json` covers an address: `https://*.example.com/account/**`. Its query and fragment are the sibling's own. */
const covers = (text: string, url: URL): boolean => {
  const rule = readRule(text)
  return rule !== undefined && rule.protocol === url.protocol && isHost(rule, url.host) && isPath(rule, url.pathname)
}

/**
 * Judges where a sibling app asks to have people sent.
 *
 * The address is read by the browser's own parser, and what is opened is what that parser gave: there is no second reading.
 *
 * @param rules the operator's `redirects`
 * @param origin this app's own, always allowed
 */
export function judgeOnward(target: string | null, rules: readonly string[], origin: string): Onward {
  if (!target) return { kind: 'here', path: home }
  const path = safePath(target)
  if (path !== home) return { kind: 'here', path }
  const url = readAddress(target)
  if (!url) return { kind: 'refused', host: '' }
  if (url.origin === origin) return { kind: 'here', path: safePath(`${url.pathname}${url.search}${url.hash}`) }
  return rules.some((rule) => covers(rule, url)) ? { kind: 'sibling', address: url.href, host: url.host } : { kind: 'refused', host: url.host }
}
