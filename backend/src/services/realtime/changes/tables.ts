import type { Database } from '#database/database.ts'
import type { Book } from './book.ts'
import { describeTables, type TableFacts } from './tables.queries.ts'

/** What no event trigger tells of, such as a role's rights as a whole, is found out after this time. */
const keptMs = 1_000

/** What the catalog says of watched tables. Whatever changes a table, its rights or its publication comes through the line of commits and is heeded at once. */
export class Tables {
  readonly #database: Database
  readonly #book: Book
  #known: ReadonlyMap<string, TableFacts> = new Map()
  #askedFor: { entities: ReadonlySet<string>; roles: ReadonlySet<string> } = { entities: new Set(), roles: new Set() }
  #knownAt = Number.NEGATIVE_INFINITY

  constructor(database: Database, book: Book) {
    this.#database = database
    this.#book = book
  }

  /** By oid; a table that is gone or no longer published is not among them. */
  async describe(entities: readonly string[], roles: readonly string[]): Promise<ReadonlyMap<string, TableFacts>> {
    const isFresh = performance.now() - this.#knownAt < keptMs
    const isAsked = entities.every((entity) => this.#askedFor.entities.has(entity)) && roles.every((role) => this.#askedFor.roles.has(role))
    if (isFresh && isAsked) return this.#known
    const { watched } = this.#book
    const all = { entities: new Set([...entities, ...watched.entities]), roles: new Set([...roles, ...watched.roles]) }
    const askedAt = performance.now()
    const found = await this.#database.asAdmin('postgres', (tx) => describeTables(tx, [...all.entities], [...all.roles]))
    this.#known = new Map(found.map((table) => [table.entity, table]))
    this.#askedFor = all
    this.#knownAt = askedAt
    return this.#known
  }

  forget(): void {
    this.#knownAt = Number.NEGATIVE_INFINITY
  }
}
