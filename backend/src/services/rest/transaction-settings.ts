import type { TransactionOptions } from '#database/database.ts'

/** Settings of a role or function, as options of a transaction. */
export type TransactionSettings = Pick<TransactionOptions, 'settings' | 'timeoutMs' | 'isolation'>

const unitMs: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 }

/** A duration as Postgres writes it: `3s`, `500`, `2min`. */
function parseDurationMs(text: string): number | undefined {
  const match = /^\s*(\d+(?:\.\d+)?)\s*(us|ms|s|min|h|d)?\s*$/.exec(text)
  return match ? Number(match[1]) * unitMs[match[2] ?? 'ms']! : undefined
}

const levels = ['read committed', 'repeatable read', 'serializable'] as const

// The database layer sets these itself and refuses them from anyone else.
const reserved = /^(role|session_authorization|search_path|transaction_read_only|request\..*)$/i

export function toTransactionSettings(settings: Readonly<Record<string, string>>): TransactionSettings {
  const { statement_timeout: timeout, default_transaction_isolation: isolation, ...others } = settings
  const timeoutMs = timeout === undefined ? undefined : parseDurationMs(timeout)
  const level = levels.find((known) => known === isolation)
  return {
    settings: Object.fromEntries(Object.entries(others).filter(([name]) => !reserved.test(name))),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(level === undefined ? {} : { isolation: level }),
  }
}
