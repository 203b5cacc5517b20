import type { RequestFacts } from '#contract/caller.ts'
import type { Logger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import { DatabaseError } from '#database/database-error.ts'
import { databaseUnavailable, mayNoLongerRead, mayNotRead, missingPartition, queryCanceled, type Refusal } from './errors.ts'
import { askMayRead, askMayWrite } from './policies.ts'
import type { Extension } from './policies.queries.ts'
import type { Reader } from './tokens.ts'

export interface PermissionsDeps {
  database: Database
  log: Logger
  /** Without the `realtime:` prefix. */
  topic: string
  facts: RequestFacts
}

// Connections that could not be had, or were cut: nothing that a policy says.
const isUnavailable = ({ sqlstate }: DatabaseError): boolean => /^(08|53|57P)/.test(sqlstate)

/** Why policies could not be asked. A policy that fails withholds, as one that says no does. */
export function refusalOf(error: unknown, topic: string): Refusal {
  if (!(error instanceof DatabaseError) || isUnavailable(error)) return databaseUnavailable
  if (error.sqlstate === '57014') return queryCanceled
  if (error.sqlstate === '23514' && error.facts.table?.startsWith('messages') === true) return missingPartition
  return mayNotRead(topic)
}

/**
 * What the reader of a private channel may hear and send. Each question is asked once a token: what policies say later changes
 * nothing before the next one.
 */
export class Permissions {
  readonly #deps: PermissionsDeps
  #reader: Reader
  #read = new Map<Extension, boolean>()
  #write = new Map<Extension, boolean>()

  constructor(reader: Reader, deps: PermissionsDeps) {
    this.#reader = reader
    this.#deps = deps
  }

  mayHear(extension: Extension): boolean {
    return this.#read.get(extension) === true
  }

  /** Asks what may be heard. Gives why the channel cannot be joined, undefined when it can. */
  askRead(extensions: readonly Extension[]): Promise<Refusal | undefined> {
    return this.#askRead(extensions, this.#read)
  }

  async #askRead(extensions: readonly Extension[], answers: Map<Extension, boolean>): Promise<Refusal | undefined> {
    const { database, topic, facts } = this.#deps
    try {
      const may = await askMayRead(database, { reader: this.#reader, topic, facts }, extensions)
      for (const extension of extensions) answers.set(extension, may.has(extension))
      return may.size > 0 ? undefined : mayNotRead(topic)
    } catch (error) {
      const refusal = refusalOf(error, topic)
      this.#deps.log.warn('the policies of a channel could not be asked', { code: refusal.code, error })
      return refusal
    }
  }

  /** Asks whether messages of an extension may be sent, once a token. Undefined when the policies could not be asked. */
  async mayWrite(extension: Extension): Promise<boolean | undefined> {
    const known = this.#write.get(extension)
    if (known !== undefined) return known
    const { database, topic, facts, log } = this.#deps
    try {
      const may = await askMayWrite(database, { reader: this.#reader, topic, facts }, extension)
      this.#write.set(extension, may)
      return may
    } catch (error) {
      log.warn('the policies of a channel could not be asked', { code: 'RlsPolicyError', error })
      return undefined
    }
  }

  /** Whether hearing was asked about with this token. */
  hasAskedRead(extension: Extension): boolean {
    return this.#read.has(extension)
  }

  /** Goes on with a new token. Gives why the channel must be closed: what could be heard cannot be any more. */
  async renew(reader: Reader, extensions: readonly Extension[]): Promise<Refusal | undefined> {
    this.#reader = reader
    this.#write = new Map()
    // Until the answer is there, what could be heard goes on.
    const now = new Map<Extension, boolean>()
    const refusal = await this.#askRead(extensions, now)
    if (refusal) return refusal
    const isRevoked = [...this.#read].some(([extension, may]) => may && now.get(extension) === false)
    this.#read = now
    return isRevoked ? mayNoLongerRead(this.#deps.topic) : undefined
  }
}
