import { combineChunks, isChunkLike, stringFromBase64URL } from '@supabase/ssr'

/** What the session cookie is called and where it counts. */
export interface CookieSettings {
  /** The storage key; chunks are `name.0`, `name.1`, … */
  name: string
  /** A parent domain, so that sibling apps share the session: `example.com`. */
  domain?: string
  /** Sent over https only. */
  secure: boolean
}

export interface Cookie {
  name: string
  value: string
}

interface CookieAttributes {
  path?: string | undefined
  domain?: string | undefined
  maxAge?: number | undefined
  secure?: boolean | undefined
  sameSite?: boolean | string | undefined
}

export type CookieWrite = Cookie & { options: CookieAttributes }

/** What lies in the session cookies right now. `damaged`: cookies are there, yet they hold no readable session. */
export type StoredSession =
  | { kind: 'none' }
  | {
      kind: 'sound'
      chunks: number
      accessToken: string
      /** Milliseconds since the epoch. */
      expiresAt: number
      /** The token and what stands beside it are of different ages: chunks of two writes, or a moment the client made up. */
      mixed: boolean
    }
  | { kind: 'damaged'; names: string[] }

/** Where cookies are read and written; the browser's `document` in the product. */
export interface CookieDocument {
  cookie: string
}

export interface CookieJar {
  readonly name: string
  /** Every cookie of the page. Waits, half a second at most, while another tab is between two chunks. */
  getAll(): Promise<Cookie[]>
  /** Writes in one go, then reads back; a lost write is told to `onLostWrite`. */
  setAll(writes: CookieWrite[]): Promise<void>
  inspect(): Promise<StoredSession>
  /** Whether there are cookies of a session at all, sound or not; told at once. */
  holdSomething(): boolean
  /** Removes the session's cookies and every pending sign-in proof. */
  clear(): Promise<void>
  /** Removes cookies of these names. */
  remove(names: readonly string[]): Promise<void>
  /** Whether the session outlives the browser's window. It does unless it was told not to; every tab and every refresh keeps to it. */
  isLasting(): boolean
  /** Says it before signing in: what is written from now on lasts, or not. */
  setLasting(lasting: boolean): void
  /** False when the browser drops what is written: cookies are blocked. */
  works(): boolean
  /** Called when a written cookie cannot be read back: blocked, or the browser's limit reached. */
  onLostWrite(listener: (names: string[]) => void): () => void
}

interface JarParts {
  document: CookieDocument
  locks?: LockManager | undefined
  /** Where it is kept that a session shall not outlive the window; shared by tabs. */
  storage?: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | undefined
  /** The page's own host; the browser's `location` unless told otherwise. */
  hostname?: string
}

const maxAgeSeconds = 400 * 24 * 60 * 60
const tearWaitMs = 20
const tearPatienceMs = 500
const lockPatienceMs = 1000

/** Reads the page's cookies; a value that is not percent-encoded is taken as it is. */
function readCookies(page: CookieDocument): Cookie[] {
  return page.cookie
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.includes('='))
    .map((pair) => {
      const at = pair.indexOf('=')
      return { name: pair.slice(0, at), value: decodeValue(pair.slice(at + 1)) }
    })
}

function decodeValue(raw: string): string {
  try {
    return decodeURIComponent(raw)
  } catch {
    return raw
  }
}

function serializeCookie({ name, value, options }: CookieWrite): string {
  const parts = [`${name}=${encodeURIComponent(value)}`]
  if (options.maxAge !== undefined) parts.push(`Max-Age=${Math.floor(options.maxAge)}`)
  if (options.domain) parts.push(`Domain=${options.domain}`)
  parts.push(`Path=${options.path ?? '/'}`)
  if (options.secure) parts.push('Secure')
  const sameSite = options.sameSite === true ? 'strict' : options.sameSite
  if (sameSite) parts.push(`SameSite=${sameSite}`)
  return parts.join('; ')
}

/** Undoes the official encoding: `base64-` and base64url, or the value as it stands. */
export function decodeCookieValue(value: string): string | null {
  if (!value.startsWith('base64-')) return value
  try {
    return stringFromBase64URL(value.slice('base64-'.length))
  } catch {
    return null
  }
}

interface StoredTokens {
  access_token: string
  refresh_token: string
  expires_at: number
}

function parseTokens(text: string): StoredTokens | null {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null) return null
    const { access_token, refresh_token, expires_at } = value as Partial<Record<keyof StoredTokens, unknown>>
    return typeof access_token === 'string' && typeof refresh_token === 'string' && typeof expires_at === 'number'
      ? { access_token, refresh_token, expires_at }
      : null
  } catch {
    return null
  }
}

/** The claims of an access token, unverified: good for display and comparison, never for a decision about rights. */
export function readClaims(accessToken: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(stringFromBase64URL(accessToken.split('.')[1] ?? ''))
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}

// Of two cookies of one name, set for the host and for a domain above it, the official reader takes the first.
const firstOfEach = (cookies: readonly Cookie[]) => new Map(cookies.toReversed().map(({ name, value }) => [name, value]))

/** `app.example.com` and `example.com` for a page of the first. */
const domainsOf = (hostname: string) => hostname.split('.').map((_, at, labels) => labels.slice(at).join('.')).filter((domain) => domain.includes('.'))

/**
 * Judges the session's cookies as the official reader joins them.
 *
 * Chunks of two writes can join to valid JSON when they are equally long; the token's own `exp`, which stands in an
 * earlier chunk than `expires_at`, gives such a mixture away. Whether the session can still be saved, the server
 * decides: the refresh token, in the last chunk, may well be the newest.
 */
export async function judgeSession(name: string, cookies: Cookie[]): Promise<StoredSession> {
  const names = cookies.map((cookie) => cookie.name).filter((candidate) => isChunkLike(candidate, name))
  if (names.length === 0) return { kind: 'none' }
  const byName = firstOfEach(cookies)
  const joined = await combineChunks(name, (chunk) => byName.get(chunk) ?? null)
  const decoded = joined === null ? null : decodeCookieValue(joined)
  const tokens = decoded === null ? null : parseTokens(decoded)
  const claims = tokens ? readClaims(tokens.access_token) : null
  if (!tokens || !claims) return { kind: 'damaged', names }
  const mixed = typeof claims['exp'] === 'number' && Math.abs(claims['exp'] - tokens.expires_at) > 60
  return { kind: 'sound', chunks: names.length, accessToken: tokens.access_token, expiresAt: tokens.expires_at * 1000, mixed }
}

/** True for the cookies that hold proofs of sign-ins under way: `name-code-verifier` and its slots. */
export const isVerifierCookie = (cookieName: string, name: string) =>
  cookieName.startsWith(`${name}-`) && /-code-verifier([.]\d+)?$/.test(cookieName)

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/**
 * Runs a short piece of cookie work with no other tab in the middle of its own.
 * The work is synchronous, so the lock is never held across a wait; where locks are missing or stuck it runs anyway.
 */
async function alone<T>(locks: LockManager | undefined, name: string, work: () => T): Promise<T> {
  if (!locks) return work()
  const answer: { value?: T } = {}
  try {
    await locks.request(`${name}-cookies`, { signal: AbortSignal.timeout(lockPatienceMs) }, () => {
      answer.value = work()
    })
    return answer.value as T
  } catch (error) {
    if ('value' in answer) return answer.value as T
    if (error instanceof DOMException) return work()
    throw error
  }
}

/** The official client writes 400 days, whatever it is asked for; a cookie without an age ends with the browser. */
const untilTheBrowserCloses = (write: CookieWrite): CookieWrite => ({ ...write, options: { ...write.options, maxAge: undefined } })

const removalsAt = ({ secure }: CookieSettings, domain: string | undefined, names: readonly string[]): CookieWrite[] =>
  names.map((name) => ({ name, value: '', options: { path: '/', sameSite: 'lax', secure, maxAge: 0, domain } }))

/**
 * Takes away what any host beside this one may set: a cookie of our name for the domain above both, read in the place of ours. It goes
 * only where it was set.
 */
const removalsAbove = (settings: CookieSettings, hostname: string, names: readonly string[]): CookieWrite[] =>
  domainsOf(hostname).filter((domain) => domain !== settings.domain).flatMap((domain) => removalsAt(settings, domain, names))

/** The names of writes that a reader finds otherwise: dropped by the browser, or hidden by another of the name. */
function notAsWritten(page: CookieDocument, writes: readonly CookieWrite[]): string[] {
  const present = firstOfEach(readCookies(page))
  const last = new Map(writes.map(({ name, value }) => [name, value]))
  return [...last].filter(([name, value]) => (value === '' ? present.has(name) : present.get(name) !== value)).map(([name]) => name)
}

/** The cookie storage handed to the official client, hardened against tearing, blocking and mixing. */
export function createCookieJar(settings: CookieSettings, parts: JarParts): CookieJar {
  const { name } = settings
  const lostWriteListeners = new Set<(names: string[]) => void>()
  const attributes: CookieAttributes = { path: '/', sameSite: 'lax', secure: settings.secure, domain: settings.domain }

  const windowKey = `portico.session-only.${name}`
  const isLasting = () => (parts.storage?.getItem(windowKey) ?? null) === null
  const limited = (write: CookieWrite): CookieWrite => (write.value !== '' && !isLasting() && isChunkLike(write.name, name) ? untilTheBrowserCloses(write) : write)
  const put = (writes: CookieWrite[]) => {
    for (const write of writes) parts.document.cookie = serializeCookie(limited(write))
  }
  const remove = (cookieNames: readonly string[]) => put([undefined, ...(settings.domain ? [settings.domain] : [])].flatMap((domain) => removalsAt(settings, domain, cookieNames)))
  const removeAbove = (cookieNames: readonly string[]) => put(removalsAbove(settings, parts.hostname ?? globalThis.location?.hostname ?? '', cookieNames))

  async function getAll() {
    const giveUpAt = Date.now() + tearPatienceMs
    for (;;) {
      const cookies = await alone(parts.locks, name, () => readCookies(parts.document))
      const stored = await judgeSession(name, cookies)
      if (stored.kind !== 'damaged' || Date.now() >= giveUpAt) return cookies
      await pause(tearWaitMs)
    }
  }

  async function setAll(writes: CookieWrite[]) {
    const lost = await alone(parts.locks, name, () => {
      put(writes)
      const hidden = notAsWritten(parts.document, writes)
      if (hidden.length === 0) return []
      removeAbove(hidden)
      put(writes)
      return notAsWritten(parts.document, writes).filter((lost) => writes.findLast((write) => write.name === lost)?.value !== '')
    })
    if (lost.length > 0) for (const listener of lostWriteListeners) listener(lost)
  }

  return {
    name,
    getAll,
    setAll,
    holdSomething: () => readCookies(parts.document).some((cookie) => isChunkLike(cookie.name, name)),
    inspect: async () => judgeSession(name, await getAll()),
    clear: () =>
      alone(parts.locks, name, () => {
        const mine = () => readCookies(parts.document).map((cookie) => cookie.name).filter((one) => isChunkLike(one, name) || isVerifierCookie(one, name))
        remove(mine())
        removeAbove(mine())
      }),
    isLasting,
    setLasting: (lasting) => (lasting ? parts.storage?.removeItem(windowKey) : parts.storage?.setItem(windowKey, '1')),
    remove: (names) => alone(parts.locks, name, () => remove(names)),
    works() {
      const probe = `${name}-probe`
      put([{ name: probe, value: 'on', options: { ...attributes, maxAge: 60 } }])
      const kept = readCookies(parts.document).some((cookie) => cookie.name === probe)
      remove([probe])
      return kept
    },
    onLostWrite(listener) {
      lostWriteListeners.add(listener)
      return () => lostWriteListeners.delete(listener)
    },
  }
}

/** What a cookie of ours is written with, for putting a proof back where it was. */
export const keptCookie = (settings: CookieSettings, cookie: Cookie): CookieWrite => ({
  ...cookie,
  options: { path: '/', sameSite: 'lax', secure: settings.secure, domain: settings.domain, maxAge: maxAgeSeconds },
})
