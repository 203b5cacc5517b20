import { channelsOf, type ChannelEvent, type OpenChannel, type PresentPeople } from '#api/channels.ts'
import type { ProjectClient, User } from '#api/client.ts'
import { hold, type Held } from './shared.ts'

/** Somebody else who has the table open. */
export interface Person {
  id: string
  /** Empty: they have given themselves no name. */
  name: string
  picture: string | undefined
  /** The records they have open, by mark, and whether they edit them. */
  records: ReadonlyMap<string, { isEditing: boolean }>
}

/** Where oneself is: a record one has open, or the table alone. */
export interface OwnPlace {
  record?: readonly string[]
  isEditing?: boolean
}

interface Told {
  name: string
  picture?: string
  records: { mark: string; isEditing: boolean }[]
}

const longestName = 60
const mostRecords = 5
const mostPeople = 100
// The server lets a client say five things in half a minute, and closes the channel on the sixth.
const sayEveryMs = 12_000
const saysAtOnce = 2
const untilLeftMs = 4000

/**
 * Holds the table's people. A private channel is tried first, since its policies say who may know; where they let nobody in,
 * a public one of a name that cannot be read, over which no picture goes.
 */
export async function holdPeople(connection: ProjectClient, user: User, table: { schema: string; name: string }): Promise<Held<PeopleFeed>> {
  const place = `${connection.project.url} ${table.schema}.${table.name}`
  const [hidden, self, salt] = await Promise.all([digest(`people ${place}`), digest(`person ${connection.project.url} ${user.id}`), digest(`records ${place}`)])
  return hold(`people ${connection.project.id} ${user.id} ${JSON.stringify(readFace(user, true))} ${table.schema}.${table.name}`, () => new PeopleFeed({ connection, user, self, salt, topics: { private: `portico:people:${table.schema}.${table.name}`, public: `portico:people:${hidden}` } }))
}

interface PeopleParts {
  connection: ProjectClient
  user: User
  /** Under which key oneself is present. */
  self: string
  /** What the marks of records are made with. */
  salt: string
  topics: { private: string; public: string }
}

/** Who else looks at one table, and oneself among them. */
export class PeopleFeed {
  readonly #parts: PeopleParts
  readonly #listeners = new Set<() => void>()
  readonly #places = new Set<OwnPlace>()
  readonly #marks = new Map<string, string>()
  readonly #say = paced(() => void this.#channel?.track({ ...this.#own() }))
  #people: readonly Person[] = []
  #isPrivate: boolean
  #channel: OpenChannel | undefined
  #joining: ReturnType<typeof setTimeout> | undefined

  constructor(parts: PeopleParts) {
    this.#parts = parts
    this.#isPrivate = !isRefused(parts.connection)
    this.#join()
  }

  /** The others; the same array until something changes. */
  readonly people = (): readonly Person[] => this.#people

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** The mark that stands for a record: nobody reads a key out of it. */
  markOf(key: readonly string[]): string {
    const text = JSON.stringify(key)
    const known = this.#marks.get(text) ?? shortHash(`${this.#parts.salt} ${text}`)
    this.#marks.set(text, known)
    return known
  }

  /** Says where oneself is, until the returned function is called. */
  enter(place: OwnPlace): () => void {
    this.#places.add(place)
    this.#say.soon()
    return () => {
      this.#places.delete(place)
      this.#say.soon()
    }
  }

  close(): void {
    this.#say.stop()
    clearTimeout(this.#joining)
    this.#channel?.close()
  }

  #join() {
    const { connection, self, topics } = this.#parts
    const topic = this.#isPrivate ? topics.private : topics.public
    const book = channelsOf(connection)
    // Who was here before in this tab is still leaving.
    if (book.isTaken(topic)) {
      this.#joining = setTimeout(() => this.#join(), untilLeftMs)
      return
    }
    this.#channel = book.open({ topic, isPrivate: this.#isPrivate, purpose: 'presence', presenceKey: self, onEvent: (event) => this.#receive(event) })
    void this.#channel.track({ ...this.#own() })
  }

  #receive(event: ChannelEvent) {
    if (event.kind === 'presence') {
      this.#people = readPeople(event.people, { self: this.#parts.self, withPictures: this.#isPrivate })
      for (const listener of this.#listeners) listener()
    }
    if (event.kind !== 'fault' || event.fault.code !== 'Unauthorized' || !this.#isPrivate) return
    rememberRefusal(this.#parts.connection)
    this.#isPrivate = false
    this.#join()
  }

  #own(): Told {
    const records = [...this.#places].flatMap(({ record, isEditing }) => (record ? [{ mark: this.markOf(record), isEditing: isEditing === true }] : []))
    return { ...readFace(this.#parts.user, this.#isPrivate), records: records.slice(0, mostRecords) }
  }
}

/** What others are told of oneself: the name and picture one has given, nothing else. */
function readFace({ user_metadata: metadata }: User, withPicture: boolean): { name: string; picture?: string } {
  const text = (key: string) => (typeof metadata[key] === 'string' ? metadata[key].trim() : '')
  const name = [text('full_name'), text('name'), text('display_name'), text('user_name')].find((given) => given !== '' && !given.includes('@')) ?? ''
  const picture = text('avatar_url')
  return { name: name.slice(0, longestName), ...(withPicture && picture !== '' ? { picture } : {}) }
}

/** Reads who is present, believing nothing of it: anyone who joined may have sent anything. */
export function readPeople(present: PresentPeople, { self, withPictures }: { self: string; withPictures: boolean }): Person[] {
  return Object.entries(present).filter(([id]) => id !== self).slice(0, mostPeople).map(([id, tabs]) => {
    const told = tabs.map(readTold)
    const face = told.find(({ name }) => name !== '')
    const records = new Map<string, { isEditing: boolean }>()
    for (const { mark, isEditing } of told.flatMap((tab) => tab.records)) records.set(mark, { isEditing: isEditing || records.get(mark)?.isEditing === true })
    return { id, name: face?.name ?? '', picture: withPictures ? face?.picture : undefined, records }
  })
}

function readTold({ name, picture, records }: Readonly<Record<string, unknown>>): Told {
  const list: unknown[] = Array.isArray(records) ? records.slice(0, mostRecords) : []
  return {
    name: typeof name === 'string' ? name.slice(0, longestName) : '',
    ...(typeof picture === 'string' && picture.startsWith('https://') ? { picture } : {}),
    records: list.flatMap((entry) => {
      const { mark, isEditing } = (entry ?? {}) as { mark?: unknown; isEditing?: unknown }
      return typeof mark === 'string' ? [{ mark, isEditing: isEditing === true }] : []
    }),
  }
}

/** Says the latest word as soon as the server's limit allows it. */
function paced(act: () => void): { soon: () => void; stop: () => void } {
  let allowance = saysAtOnce
  let at = Date.now()
  let timer: ReturnType<typeof setTimeout> | undefined
  const run = () => {
    timer = undefined
    const now = Date.now()
    allowance = Math.min(saysAtOnce, allowance + (now - at) / sayEveryMs)
    at = now
    if (allowance < 1) {
      timer = setTimeout(run, (1 - allowance) * sayEveryMs)
      return
    }
    allowance -= 1
    act()
  }
  return {
    soon: () => {
      timer ??= setTimeout(run, 50)
    },
    stop: () => clearTimeout(timer),
  }
}

// A refused join costs seconds at some servers: it is not asked for again in this tab.
const refusalKey = (connection: ProjectClient) => `portico.people.${connection.project.id}`
const isRefused = (connection: ProjectClient): boolean => sessionStorage.getItem(refusalKey(connection)) !== null
const rememberRefusal = (connection: ProjectClient): void => sessionStorage.setItem(refusalKey(connection), 'refused')

async function digest(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return Array.from(bytes.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** FNV-1a over the text, twice with different starts: 64 bits that tell records apart. */
function shortHash(text: string): string {
  const half = (start: number) => {
    let hash = start
    for (const sign of text) hash = Math.imul(hash ^ (sign.codePointAt(0) ?? 0), 0x01000193)
    return (hash >>> 0).toString(16).padStart(8, '0')
  }
  return half(0x811c9dc5) + half(0x9e3779b9)
}
