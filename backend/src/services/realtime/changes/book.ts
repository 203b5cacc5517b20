import type { ChangeSubscriber } from '#services/realtime/change-feed.ts'
import type { ChangeType, Wanted } from './asked.ts'
import type { Snapshot } from './snapshot.ts'

/** One asked element of one subscriber, on one table. */
export interface Binding {
  subscriber: ChangeSubscriber
  /** The id its join reply gave. */
  id: number
  wanted: Wanted
  role: string
  claims: Readonly<Record<string, unknown>>
  /** Same text, same claims: those who share it share their answers. */
  readerKey: string
  /** Same text, same words: those who share it are sent the same. */
  viewKey: string
  /** What was committed then is not told. */
  since: Snapshot
}

/** Who is to be told of which table, by the table's oid. */
export class Book {
  readonly #byEntity = new Map<string, Set<Binding>>()
  readonly #bySubscriber = new Map<ChangeSubscriber, [string, Binding][]>()

  of(entity: string): ReadonlySet<Binding> | undefined {
    return this.#byEntity.get(entity)
  }

  /** Puts these in the place of what the subscriber had. */
  replace(subscriber: ChangeSubscriber, bindings: readonly [entity: string, binding: Binding][]): void {
    this.remove(subscriber)
    this.#bySubscriber.set(subscriber, [...bindings])
    for (const [entity, binding] of bindings) {
      const others = this.#byEntity.get(entity)
      if (others) others.add(binding)
      else this.#byEntity.set(entity, new Set([binding]))
    }
  }

  remove(subscriber: ChangeSubscriber): void {
    for (const [entity, binding] of this.#bySubscriber.get(subscriber) ?? []) {
      const left = this.#byEntity.get(entity)
      left?.delete(binding)
      if (left?.size === 0) this.#byEntity.delete(entity)
    }
    this.#bySubscriber.delete(subscriber)
  }

  entitiesOf(subscriber: ChangeSubscriber): Set<string> {
    return new Set((this.#bySubscriber.get(subscriber) ?? []).map(([entity]) => entity))
  }

  has(subscriber: ChangeSubscriber): boolean {
    return this.#bySubscriber.has(subscriber)
  }

  /** The tables somebody watches, and the roles of who does. */
  get watched(): { entities: string[]; roles: string[] } {
    const roles = new Set<string>()
    for (const bindings of this.#byEntity.values()) for (const { role } of bindings) roles.add(role)
    return { entities: [...this.#byEntity.keys()], roles: [...roles] }
  }

  get isEmpty(): boolean {
    return this.#byEntity.size === 0
  }
}

export const wants = ({ wanted }: Binding, type: ChangeType): boolean => wanted.event === '*' || wanted.event === type
