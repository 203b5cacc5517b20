import type { Caller } from '#contract/caller.ts'
import type { Sql } from './sql.ts'

/** Roles the box's own work runs under. Each service uses its own, as on the hosted backend. */
export type AdminRole = 'postgres' | 'supabase_admin' | 'supabase_auth_admin' | 'supabase_storage_admin'

/** A result as it came over the wire: text cells, null for SQL null. */
export interface RawResult {
  columns: readonly { name: string; typeOid: number }[]
  rows: readonly (readonly (string | null)[])[]
  /** Rows the command touched, from its command tag; 0 when the tag carries none. */
  affected: number
}

/**
 * Statements of one transaction. Cells are parsed by type: boolean, int2/int4/float → number, json(b) → value,
 * arrays of those and of text → array; int8, numeric, dates, timestamps, uuid and everything else → Postgres' text.
 */
export interface Transaction {
  many<Row>(statement: Sql): Promise<Row[]>
  /** @throws when there is not exactly one row. */
  one<Row>(statement: Sql): Promise<Row>
  /** @throws when there are several rows. */
  maybeOne<Row>(statement: Sql): Promise<Row | undefined>
  /** Runs a statement for its effect; gives the number of rows touched. */
  execute(statement: Sql): Promise<number>
  raw(statement: Sql): Promise<RawResult>
}

export interface TransactionOptions {
  /** Sets `transaction_read_only`. Default false. */
  readOnly?: boolean
  /** Schemas for `search_path`, in order. Default: what the role would have. */
  searchPath?: readonly string[]
  /** Extra settings for this transaction, `pgrst.…` or `app.settings.…` names to values. */
  settings?: Readonly<Record<string, string>>
  /** Longest run in milliseconds; past it the statement is ended with SQLSTATE 57014. Default: the database's own. */
  timeoutMs?: number
  isolation?: 'read committed' | 'repeatable read' | 'serializable'
}

export interface Database {
  readonly engine: 'pglite' | 'postgres'

  /**
   * Runs statements as a caller: role, claims and request facts hold for exactly this transaction.
   * The only way to user data. Commits when `work` resolves, rolls back when it throws.
   *
   * @throws DatabaseError with the SQLSTATE.
   */
  asCaller<T>(caller: Caller, work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>

  /**
   * Runs statements as a caller in one transaction and one round trip: settings, statements and Sync go out in one buffer of
   * prepared statements, named per role. An error in any rolls all back. The fast road for requests whose statements are known.
   */
  batchAsCaller(caller: Caller, statements: readonly Sql[], options?: TransactionOptions): Promise<RawResult[]>

  /** Runs the box's own statements under one of its roles, in a transaction. Never on behalf of a caller. */
  asAdmin<T>(role: AdminRole, work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>

  /**
   * Runs a text of several statements as one implicit transaction (simple protocol), under a role, for migrations and seeds.
   *
   * @throws DatabaseError with `position`, 1-based, in characters of `text`.
   */
  script(role: AdminRole, text: string): Promise<void>

  /** Hears `NOTIFY channel` after each commit. Gives the function that stops it. */
  listen(channel: string, hear: (payload: string) => void): Promise<() => Promise<void>>

  /** Flushes and lets go of the data folder or the connections. */
  close(): Promise<void>
}
