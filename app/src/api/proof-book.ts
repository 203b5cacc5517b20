import { stringToBase64URL } from '@supabase/ssr'
import { keptCookie, type Cookie, type CookieJar, type CookieSettings } from './cookie-jar.ts'
import { cookieText, flowIdOf, listSlots } from './sign-in-proofs.ts'

/** When each sign-in under way was begun, and in which tab. A cookie tells neither. */
export interface ProofBook {
  /** Enters what a write to the cookies began. */
  note(written: readonly Cookie[]): void
  /**
   * Removes the proofs nobody can use any more: those older than any link, and of the others
   * - `signed-in`: what this tab began, since it is in now;
   * - `signed-out`: all but what another tab has begun in the last minutes.
   */
  sweep(moment: 'opened' | 'signed-in' | 'signed-out'): Promise<void>
  /** Runs a sign-out, which makes the official client forget every proof, and keeps those of other tabs that have just begun. */
  keepOthers<T>(signOut: () => Promise<T>): Promise<T>
}

export interface ProofBookParts {
  cookies: CookieJar
  cookieSettings: CookieSettings
  /** Shared by tabs. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>
  /** This tab's own; it outlives reloads and a visit to a provider. */
  tabStorage: Pick<Storage, 'getItem' | 'setItem'>
  now?: () => number
}

/** No link lives longer than a day. */
const longestLifeMs = 24 * 60 * 60 * 1000
/** A person who has just left for a provider, or for their mail, is back within this. */
const justBegunMs = 10 * 60 * 1000

/** Where the book lies, by the name of the session cookie. */
export const proofsKey = (name: string): string => `portico.proofs.${name}`

interface Entry {
  at: number
  tab: string
}

export function createProofBook({ cookies, cookieSettings, storage, tabStorage, now = () => Date.now() }: ProofBookParts): ProofBook {
  const key = proofsKey(cookieSettings.name)
  const tab = tabName(tabStorage)
  const read = () => readEntries(storage.getItem(key))
  const write = (entries: ReadonlyMap<string, Entry>) => {
    if (entries.size === 0) storage.removeItem(key)
    else storage.setItem(key, JSON.stringify(Object.fromEntries(entries)))
  }
  const isOthersAndNew = (entry: Entry | undefined) => entry !== undefined && entry.tab !== tab && now() - entry.at < justBegunMs

  return {
    note(written) {
      const begun = written.filter(({ value }) => value !== '').flatMap((cookie) => flowIdOf(cookie.name, cookies.name) ?? [])
      if (begun.length === 0) return
      const entries = read()
      for (const id of begun) if (!entries.has(id)) entries.set(id, { at: now(), tab })
      write(entries)
    },
    async sweep(moment) {
      const present = await cookies.getAll()
      const entries = read()
      // One the book does not know may be a sibling app's: it is counted from now on.
      const slots = listSlots(present, cookies.name).map((id) => ({ id, entry: entries.get(id) ?? { at: now(), tab: '' } }))
      const isOver = ({ at, tab: owner }: Entry) => {
        if (now() - at >= longestLifeMs) return true
        if (moment === 'opened') return false
        return moment === 'signed-in' ? owner === tab : !isOthersAndNew({ at, tab: owner })
      }
      const left = slots.filter(({ entry }) => !isOver(entry))
      write(new Map(left.map(({ id, entry }) => [id, entry])))
      if (left.length < slots.length || (moment === 'signed-out' && left.length === 0)) await strike(cookies, cookieSettings, { present, left: left.map(({ id }) => id) })
    },
    async keepOthers(signOut) {
      const entries = read()
      const before = await cookies.getAll()
      const kept = before.filter(({ name }) => isOthersAndNew(entries.get(flowIdOf(name, cookies.name) ?? '')))
      const answer = await signOut()
      if (kept.length > 0) await cookies.setAll(kept.map((cookie) => keptCookie(cookieSettings, cookie)))
      return answer
    },
  }
}

/** Takes every proof but those left out of the cookies, and out of the official client's own list of them. */
async function strike(cookies: CookieJar, settings: CookieSettings, { present, left }: { present: Cookie[]; left: readonly string[] }): Promise<void> {
  const list = `${cookies.name}-flows-code-verifier`
  const fixed = `${cookies.name}-code-verifier`
  const slotName = (id: string) => `${cookies.name}-flow-${id}-code-verifier`
  const gone = listSlots(present, cookies.name).filter((id) => !left.includes(id)).map(slotName)
  const isCopyOfOneLeft = left.some((id) => cookieText(present, slotName(id)) === cookieText(present, fixed))
  await cookies.remove([...gone, ...(isCopyOfOneLeft ? [] : [fixed]), ...(left.length > 0 ? [] : [list])])
  if (left.length > 0) await cookies.setAll([keptCookie(settings, { name: list, value: `base64-${stringToBase64URL(JSON.stringify(left))}` })])
}

/** Reads the book as it was stored; what cannot be read counts as empty. */
export function readEntries(text: string | null): Map<string, Entry> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    const pairs = typeof value === 'object' && value !== null ? Object.entries(value as Record<string, Partial<Entry> | null>) : []
    return new Map(pairs.flatMap(([id, entry]) => (typeof entry?.at === 'number' && typeof entry.tab === 'string' ? [[id, { at: entry.at, tab: entry.tab }] as const] : [])))
  } catch {
    return new Map()
  }
}

/** This tab's name for itself, made at the first call. */
export function tabName(storage: ProofBookParts['tabStorage']): string {
  const key = 'portico.tab'
  const known = storage.getItem(key)
  if (known) return known
  const name = Math.random().toString(36).slice(2)
  storage.setItem(key, name)
  return name
}
