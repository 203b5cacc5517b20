import { randomBytes, randomUUID } from 'node:crypto'

/** What one channel says of itself. */
export interface Presence {
  /** People with several channels share a key, and are listed under it several times. */
  key: string
  /** Names this one; another one after each change. */
  ref: string
  /** The client's own words with `phx_ref` beside them, as JSON text. */
  json: string
}

/** A key for a client that names none. */
export const makePresenceKey = (): string => randomUUID()

/** Makes the presence of a channel that says something new. */
export function makePresence(key: string, words: Readonly<Record<string, unknown>>, previous: Presence | undefined): Presence {
  const ref = randomBytes(9).toString('base64url')
  const refs = { phx_ref: ref, ...(previous === undefined ? {} : { phx_ref_prev: previous.ref }) }
  return { key, ref, json: JSON.stringify({ ...words, ...refs }) }
}

type Metas = Map<string, Map<string, string>>

function put(metas: Metas, { key, ref, json }: Presence): void {
  const own = metas.get(key)
  if (own) own.set(ref, json)
  else metas.set(key, new Map([[ref, json]]))
}

function take(metas: Metas, { key, ref }: Pick<Presence, 'key' | 'ref'>): boolean {
  const own = metas.get(key)
  if (!own?.delete(ref)) return false
  if (own.size === 0) metas.delete(key)
  return true
}

const spell = (metas: Metas): string =>
  `{${[...metas].map(([key, own]) => `${JSON.stringify(key)}:{"metas":[${[...own.values()].join(',')}]}`).join(',')}}`

/** Who is there, on one topic, and what has changed since it was last told. */
export class PresenceList {
  readonly #here: Metas = new Map()
  readonly #joins: Metas = new Map()
  readonly #leaves: Metas = new Map()
  /** As it was last spelt, for all who come until it changes: many may hold it while they read it. */
  #state: Buffer | undefined

  get isEmpty(): boolean {
    return this.#here.size === 0
  }

  add(presence: Presence): void {
    this.#state = undefined
    put(this.#here, presence)
    put(this.#joins, presence)
  }

  /** Takes one away; what is not there may be gone already. */
  remove(presence: Presence): void {
    if (!take(this.#here, presence)) return
    this.#state = undefined
    // Who came and went between two messages was never there.
    if (!take(this.#joins, presence)) put(this.#leaves, presence)
  }

  /** The payload of `presence_state` as JSON; the same bytes until it changes. */
  state(): Buffer {
    return (this.#state ??= Buffer.from(spell(this.#here)))
  }

  /** The payload of `presence_diff` since the last one, undefined when nothing changed. */
  takeDiff(): string | undefined {
    if (this.#joins.size === 0 && this.#leaves.size === 0) return undefined
    const diff = `{"joins":${spell(this.#joins)},"leaves":${spell(this.#leaves)}}`
    this.#joins.clear()
    this.#leaves.clear()
    return diff
  }
}
