import { FanOut } from './fan-out.ts'
import { encodeBroadcast, encodePush } from './frames/encode.ts'
import type { UserBroadcast, Version } from './frames/message.ts'
import { PresenceList, type Presence } from './presence.ts'

/** What a message is sent to. Public and private channels of one name never hear each other. */
export interface Place {
  /** Without the `realtime:` prefix. */
  name: string
  isPrivate: boolean
}

/** A message to everybody at a place. */
export type Message =
  /** Encoded for each version; `id` names what is stored in the database. */
  | (UserBroadcast & { meta?: { id: string; replayed?: boolean } })
  /** The whole payload of a broadcast as JSON text, from clients that send it so: goes out as text to everybody. */
  | { wholeJson: string; meta?: { id: string } }

/** One that hears what is sent to a place. */
export interface Member {
  readonly version: Version
  readonly hearsBroadcasts: boolean
  readonly hearsPresence: boolean
  /** Whether it was told of this stored message when it joined. */
  hasHeard(messageId: string): boolean
  write(frame: Buffer): void
}

/** Encodes a message when the first member of a version needs it. */
function once(encode: (version: Version) => Buffer | undefined): (version: Version) => Buffer | undefined {
  const made = new Map<Version, Buffer | undefined>()
  return (version) => {
    if (!made.has(version)) made.set(version, encode(version))
    return made.get(version)
  }
}

export const topicOf = (name: string): string => `realtime:${name}`

export const encodeMessage = (version: Version, name: string, message: Message): Buffer | undefined =>
  'wholeJson' in message
    ? encodePush(version, { joinRef: null, topic: topicOf(name), event: 'broadcast', json: message.wholeJson })
    : encodeBroadcast(version, topicOf(name), message)

/** Everybody at one place. */
export class Group {
  readonly place: Place
  readonly members = new Set<Member>()
  readonly #fanOut = new FanOut(this.members)
  readonly #presence = new PresenceList()
  readonly #onEmpty: (group: Group) => void
  #isDiffDue = false

  constructor(place: Place, onEmpty: (group: Group) => void) {
    this.place = place
    this.#onEmpty = onEmpty
  }

  /**
   * What a message to all counts for against the limits besides itself: one more for every hundred who hear it, since each costs a
   * write. The hosted server counts every one of them.
   */
  get weight(): number {
    return Math.floor(this.members.size / 100)
  }

  send(message: Message, except?: Member): void {
    const id = message.meta?.id
    const frameOf = once((version) => encodeMessage(version, this.place.name, message))
    this.#fanOut.tell((member) => {
      if (member === except || !member.hearsBroadcasts || (id !== undefined && member.hasHeard(id))) return
      const frame = frameOf(member.version)
      if (frame) member.write(frame)
    })
  }

  /** Changes who is there, and tells everybody of it at the end of this turn: a crowd that comes at once is one message. */
  changePresence(change: { leaves?: Presence | undefined; joins?: Presence }): void {
    if (change.joins) this.#presence.add(change.joins)
    if (change.leaves) this.#presence.remove(change.leaves)
    if (this.#isDiffDue) return
    this.#isDiffDue = true
    setImmediate(() => this.tellPresence())
  }

  /** Tells of what has changed now, so that whoever is given the state next is not told twice. */
  tellPresence(): void {
    this.#isDiffDue = false
    const json = this.#presence.takeDiff()
    if (json !== undefined) this.#tell(json)
    this.dropIfEmpty()
  }

  /** The payload of `presence_state` as JSON; the same bytes for all who come until somebody else does. */
  presenceState(): Buffer {
    this.tellPresence()
    // Whoever is given the state must not hear afterwards what is in it.
    this.#fanOut.flush()
    return this.#presence.state()
  }

  leave(member: Member): void {
    this.members.delete(member)
    this.dropIfEmpty()
  }

  dropIfEmpty(): void {
    if (this.members.size === 0 && this.#presence.isEmpty && !this.#isDiffDue) this.#onEmpty(this)
  }

  #tell(json: string): void {
    const frameOf = once((version) => encodePush(version, { joinRef: null, topic: topicOf(this.place.name), event: 'presence_diff', json }))
    this.#fanOut.tell((member) => {
      const frame = member.hearsPresence ? frameOf(member.version) : undefined
      if (frame) member.write(frame)
    })
  }
}

const keyOf = ({ name, isPrivate }: Place): string => `${isPrivate ? 'private' : 'public'}:${name}`

/** All groups of this process. */
export class Groups {
  readonly #groups = new Map<string, Group>()

  find(place: Place): Group | undefined {
    return this.#groups.get(keyOf(place))
  }

  /** The group of a place, made when there is none. It is forgotten when nobody is there any more. */
  get(place: Place): Group {
    const key = keyOf(place)
    const found = this.#groups.get(key)
    if (found) return found
    const made = new Group(place, () => {
      // By then another one may stand there.
      if (this.#groups.get(key) === made) this.#groups.delete(key)
    })
    this.#groups.set(key, made)
    return made
  }

  get size(): number {
    return this.#groups.size
  }
}
