import type { Transaction } from '#database/database.ts'
import { identifier, sql, type Sql } from '#database/sql.ts'

/** Rows nobody can use any more: of one table, since a moment in one of their columns. */
interface Leftovers {
  table: readonly [schema: string, name: string]
  /** Its primary key. */
  key?: string
  since: string
  /** Kept so long after that moment. */
  hours: number
  /** Which of them; left out, all. */
  only?: Sql
  /** Most of them at once; 100 when left out. */
  most?: number
}

const leftovers: readonly Leftovers[] = [
  // Traded refresh tokens.
  { table: ['auth', 'refresh_tokens'], since: 'updated_at', hours: 24, only: sql`revoked` },
  // Each takes its tokens and claims along.
  { table: ['auth', 'sessions'], since: 'not_after', hours: 72, most: 10 },
  // A day, and the hour a link may live longer.
  { table: ['auth', 'flow_state'], since: 'created_at', hours: 25 },
  // Visits to providers, and to identity providers, that nobody came back from.
  { table: ['auth', 'oauth_client_states'], since: 'created_at', hours: 1 },
  { table: ['auth', 'saml_relay_states'], since: 'created_at', hours: 1 },
  // Requests for consent that nobody can answer any more.
  { table: ['auth', 'oauth_authorizations'], since: 'expires_at', hours: 24 },
  { table: ['auth', 'mfa_challenges'], since: 'created_at', hours: 24 },
  // Second factors nobody finished to enrol.
  { table: ['auth', 'mfa_factors'], since: 'created_at', hours: 24, only: sql`status = 'unverified'` },
  // Challenges of passkeys.
  { table: ['auth', 'webauthn_challenges'], since: 'expires_at', hours: 0 },
  // Tries and intervals that are over; anybody can make many of these by asking for one address after another.
  { table: ['_portico', 'auth_limits'], key: 'key', since: 'free_at', hours: 0, most: 2000 },
]

const deleteLeftovers = (tx: Transaction, at: Date, { table, key = 'id', since, hours, only, most = 100 }: Leftovers): Promise<number> => {
  const before = new Date(at.getTime() - hours * 3_600_000)
  return tx.execute(sql`
    delete from ${identifier(...table)}
    where ${identifier(key)} in (
      select ${identifier(key)} from ${identifier(...table)}
      where ${identifier(since)} < ${before} ${only ? sql`and ${only}` : sql``}
      limit ${most} for update skip locked
    )`)
}

/** What runs in turn, one a round. Each gives how many rows are gone. */
export const cleanups: readonly ((tx: Transaction, at: Date) => Promise<number>)[] = leftovers.map(
  (one) => (tx: Transaction, at: Date) => deleteLeftovers(tx, at, one),
)
