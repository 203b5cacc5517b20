import type { StoredThing } from '#api/stored-facts.ts'
import { sessionCookieName, type Project } from '#project.ts'

/** Beyond this many bytes of headers many servers and proxies refuse a request; of these the cookies are nearly all. */
export const headerLimitBytes = 8192
/** Browsers drop a cookie whose name and value are larger. */
export const cookieLimitBytes = 4096

export type Meaning =
  | { kind: 'whole' | 'proof' | 'proofList' }
  | { kind: 'chunk'; number: number }
  | { kind: 'sibling'; projectName?: string }
  | { kind: 'other' }

export interface CookieFact extends StoredThing {
  meaning: Meaning
}

/** Says of each cookie what it is, the session of the project in hand first. */
export function readCookieFacts(cookies: readonly StoredThing[], current: Project, projects: readonly Project[]): CookieFact[] {
  const order: readonly Meaning['kind'][] = ['whole', 'chunk', 'proofList', 'proof', 'sibling', 'other']
  const numberOf = ({ meaning }: CookieFact) => (meaning.kind === 'chunk' ? meaning.number : 0)
  return cookies
    .map((cookie) => ({ ...cookie, meaning: meaningOf(cookie.name, current, projects) }))
    .sort((one, other) => order.indexOf(one.meaning.kind) - order.indexOf(other.meaning.kind) || numberOf(one) - numberOf(other) || one.name.localeCompare(other.name))
}

function meaningOf(name: string, current: Project, projects: readonly Project[]): Meaning {
  const own = within(name, sessionCookieName(current))
  if (own) return own
  const sibling = projects.find((project) => within(name, sessionCookieName(project)))
  if (sibling) return { kind: 'sibling', projectName: sibling.name }
  return /^sb-.*-auth-token/.test(name) ? { kind: 'sibling' } : { kind: 'other' }
}

function within(name: string, session: string): Meaning | undefined {
  if (name === session) return { kind: 'whole' }
  if (!name.startsWith(session)) return undefined
  const rest = name.slice(session.length)
  const chunk = /^\.(\d+)$/.exec(rest)?.[1]
  if (chunk !== undefined) return { kind: 'chunk', number: Number(chunk) }
  if (rest === '-flows-code-verifier') return { kind: 'proofList' }
  return rest.startsWith('-') && rest.endsWith('-code-verifier') ? { kind: 'proof' } : undefined
}

/** Pieces that should be there and are not: `name.1` between `name.0` and `name.2`. */
export function missingChunks(facts: readonly CookieFact[], session: string): string[] {
  const numbers = facts.flatMap(({ meaning }) => (meaning.kind === 'chunk' ? [meaning.number] : []))
  return Array.from({ length: Math.max(0, ...numbers) }, (_, index) => index).filter((index) => numbers.length > 0 && !numbers.includes(index)).map((index) => `${session}.${index}`)
}

/** What the Cookie header weighs: pairs, joined by `; `. */
export const headerBytes = (cookies: readonly StoredThing[]): number =>
  cookies.reduce((sum, { sizeBytes }) => sum + sizeBytes + 2, cookies.length > 0 ? -2 : 0)
