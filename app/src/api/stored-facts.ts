import type { ProjectClient } from './client.ts'
import { proofsKey, readEntries, tabName } from './proof-book.ts'
import { listSlots } from './sign-in-proofs.ts'

/** A cookie or an entry of the browser's storage: its name and weight, never what it holds. */
export interface StoredThing {
  name: string
  /** Name and value together, as they are sent or counted. */
  sizeBytes: number
}

/** A proof of a sign-in under way (a PKCE verifier), without the proof. */
export interface ProofFact {
  /** The flow it belongs to; its first characters. */
  flow: string
  /** When it was begun, in milliseconds since the epoch; null when nobody wrote it down. */
  at: number | null
  /** Begun in this tab. */
  isOwn: boolean
}

const sizeOf = (text: string): number => new TextEncoder().encode(text).length

/** Every cookie a script of this page can see. Those marked HttpOnly are sent as well, yet hidden from it. */
export const listCookies = (page: Pick<Document, 'cookie'> = document): StoredThing[] =>
  page.cookie.split('; ').filter(Boolean).map((pair) => ({ name: pair.slice(0, Math.max(0, pair.indexOf('='))), sizeBytes: sizeOf(pair) }))

/** What the app and the official client keep in a storage of the browser. */
export function listStored(storage: Storage): StoredThing[] {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
  return names
    .filter((name) => name.startsWith('portico.') || name.startsWith('sb-'))
    .sort()
    .map((name) => ({ name, sizeBytes: sizeOf(name) + sizeOf(storage.getItem(name) ?? '') }))
}

/** The sign-ins this browser has begun and not finished, oldest first. */
export async function listProofFacts({ cookies }: ProjectClient): Promise<ProofFact[]> {
  const entries = readEntries(localStorage.getItem(proofsKey(cookies.name)))
  const tab = tabName(sessionStorage)
  return listSlots(await cookies.getAll(), cookies.name).map((id) => {
    const entry = entries.get(id)
    return { flow: id.slice(0, 8), at: entry?.at ?? null, isOwn: entry?.tab === tab }
  })
}
