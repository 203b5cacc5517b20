import type { DatabaseError as WireError } from 'pg-protocol'
import { DatabaseError, type DatabaseErrorFacts } from '#database/database-error.ts'
import type { RawResult } from '#database/database.ts'
import type { Prepared } from './prepared.ts'

/** `I` idle, `T` in a transaction, `E` in a failed one. */
export type TransactionStatus = 'I' | 'T' | 'E'

export interface Reply {
  results: RawResult[]
  /** Command tags of what was finished: `INSERT 0 1`, `ROLLBACK`. */
  tags: string[]
  error?: DatabaseError
  status: TransactionStatus
}

const factNames = ['detail', 'hint', 'schema', 'table', 'column', 'constraint', 'where'] as const

export function toDatabaseError(error: WireError): DatabaseError {
  const facts: DatabaseErrorFacts = { sqlstate: error.code ?? 'XX000', message: error.message ?? 'unknown database error' }
  for (const name of factNames) {
    const value = error[name]
    if (value !== undefined) facts[name] = value
  }
  if (error.position !== undefined) facts.position = Number(error.position)
  return new DatabaseError(facts)
}

const touchedRows = (tag: string): number => Number(/ (\d+)$/.exec(tag)?.[1] ?? 0)

interface WireField { name: string; dataTypeID: number }
/** The members of the codec's messages that a reply reads. */
export interface WireMessage {
  name: string
  fields?: unknown[]
  text?: string
  status?: string
}

/** Collects the messages that answer one request. */
export class ReplyReader {
  readonly #prepared: readonly Prepared[]
  readonly reply: Reply = { results: [], tags: [], status: 'I' }
  #columns: RawResult['columns'] | null | undefined
  #rows: (string | null)[][] = []

  constructor(prepared: readonly Prepared[]) {
    this.#prepared = prepared
  }

  /** Takes one message; true when the reply is whole. */
  take(message: WireMessage): boolean {
    switch (message.name) {
      case 'dataRow':
        this.#rows.push(message.fields as (string | null)[])
        return false
      case 'rowDescription':
        this.#describe((message.fields as WireField[]).map((field) => ({ name: field.name, typeOid: field.dataTypeID })))
        return false
      case 'noData':
        this.#describe(null)
        return false
      case 'commandComplete':
        this.#finish(message.text ?? '')
        return false
      case 'emptyQuery':
        this.#finish('')
        return false
      case 'error':
        this.reply.error ??= toDatabaseError(message as unknown as WireError)
        return false
      case 'readyForQuery':
        this.reply.status = message.status as TransactionStatus
        return true
      default:
        return false
    }
  }

  #describe(columns: RawResult['columns'] | null): void {
    this.#columns = columns
    const prepared = this.#prepared[this.reply.results.length]
    if (prepared) prepared.columns = columns
  }

  #finish(tag: string): void {
    const columns = this.#columns ?? this.#prepared[this.reply.results.length]?.columns ?? []
    this.reply.results.push({ columns, rows: this.#rows, affected: touchedRows(tag) })
    this.reply.tags.push(tag)
    this.#rows = []
    this.#columns = undefined
  }
}
