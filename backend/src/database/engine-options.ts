import type { Logger } from '#contract/logger.ts'

/**
 * An extension the embedded engine is to know at open; `create extension` comes later and by SQL.
 * Either a bundle (`share/postgresql/extension/…` in a tar.gz) or an object that a module exports.
 */
export type ExtensionBundle =
  | { name: string; bundle: URL | string }
  | { name: string; module: string; exportName?: string }

/** Longest run of one statement in milliseconds, 0 for no limit. Defaults as on the hosted backend. */
export interface StatementTimeouts {
  /** Role `anon`. Default 3,000. */
  anonMs?: number
  /** Every other caller. Default 8,000. */
  callerMs?: number
  /** The box's own work, `asAdmin`. Default 60,000. `script` has no limit. */
  adminMs?: number
  /** How long a transaction may hold its session without a statement. Default 10,000. */
  idleMs?: number
}

export interface SharedOptions {
  timeouts?: StatementTimeouts
  log?: Logger
}

export interface PgliteOptions extends SharedOptions {
  /** The engine's own folder; made from `template` when it is not there. Left out: in memory, for tests. */
  dataDir?: string
  /** Where the lock lives. Default: `dataDir` + `.lock`. */
  lockDir?: string
  /** A template made by `buildTemplate`. Left out: initdb, which takes seconds. */
  template?: string
  extensions?: readonly ExtensionBundle[]
  /** `fsync`: an acknowledged commit survives a power cut. `os`: it survives a killed process only. Default `fsync`. */
  durability?: 'fsync' | 'os'
}

export interface PostgresOptions extends SharedOptions {
  /** `postgres://user:password@host:port/database?sslmode=verify-full`; `?host=/folder` for a Unix socket. */
  url: string
  /** Most connections at a time, besides the one that listens. Default 10. */
  poolSize?: number
}

/** Which engine to open: the embedded one, or a Postgres by URL. */
export type DatabaseOptions = ({ engine: 'pglite' } & PgliteOptions) | ({ engine: 'postgres' } & PostgresOptions)
