import { safePath } from './redirects.ts'

/** How a person is coming in: by the mail of a sign-up, of a forgotten password, of a sign-in, of a new address; through a provider; or back from one they connect. */
export type Way = 'signup' | 'recovery' | 'email' | 'email_change' | 'provider' | 'link'

/** What this browser is waiting for: what to say when the person comes back from their mail, and where to go after. */
export interface PendingEntry {
  way: Way
  /** Empty for a provider. */
  email: string
  /** Milliseconds since the epoch. */
  startedAt: number
  /** A path of this app. */
  to: string
}

export interface PendingEntries {
  latest(): PendingEntry | undefined
  remember(entry: Omit<PendingEntry, 'startedAt'>): void
  forget(): void
}

/** A link lives a day; what is older was forgotten by the person as well. */
const lifetimeMs = 24 * 60 * 60 * 1000
const ways: ReadonlySet<unknown> = new Set<Way>(['signup', 'recovery', 'email', 'email_change', 'provider', 'link'])

/** Kept per project in `storage`, which tabs share: the link opens in a tab of its own. */
export function createPendingEntries(projectId: string, storage: Storage, now: () => number = Date.now): PendingEntries {
  const key = `portico.pending-entry.${projectId}`
  return {
    latest() {
      const entry = parse(storage.getItem(key))
      return entry && now() - entry.startedAt < lifetimeMs ? entry : undefined
    },
    remember: (entry) => storage.setItem(key, JSON.stringify({ ...entry, startedAt: now() })),
    forget: () => storage.removeItem(key),
  }
}

function parse(text: string | null): PendingEntry | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    if (typeof value !== 'object' || value === null) return undefined
    const { way, email, startedAt, to } = value as Partial<Record<keyof PendingEntry, unknown>>
    if (!ways.has(way) || typeof email !== 'string' || typeof startedAt !== 'number' || typeof to !== 'string') return undefined
    return { way: way as Way, email, startedAt, to: safePath(to) }
  } catch {
    return undefined
  }
}
