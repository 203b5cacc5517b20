import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

import { deleteOldClientStates } from './providers/flows.queries.ts'
import { deleteOldVisits } from './sso/sso.queries.ts'

type Cleanup = (tx: Transaction, at: Date) => Promise<number>

/** Traded refresh tokens, after a day. */
const deleteTradedTokens: Cleanup = (tx, at) =>
  tx.execute(sql`
    delete from auth.refresh_tokens
    where id in (
      select t.id from auth.refresh_tokens t
      where t.revoked and t.updated_at < ${at}::timestamptz - interval '24 hours'
      limit 100 for update skip locked
    )`)

/** Sessions past their end, after three days. */
const deleteEndedSessions: Cleanup = (tx, at) =>
  tx.execute(sql`
    delete from auth.sessions
    where id in (
      select s.id from auth.sessions s
      where s.not_after < ${at}::timestamptz - interval '72 hours'
      limit 10 for update skip locked
    )`)

/** Flows nobody came back to, after a day and the hour a link may live longer. */
const deleteOldFlows: Cleanup = (tx, at) =>
  tx.execute(sql`
    delete from auth.flow_state
    where id in (
      select f.id from auth.flow_state f
      where f.created_at < ${at}::timestamptz - interval '25 hours'
      limit 100 for update skip locked
    )`)

/** Requests for consent that nobody can answer any more, after a day. */
const deleteOldAuthorizations: Cleanup = (tx, at) =>
  tx.execute(sql`
    delete from auth.oauth_authorizations
    where id in (
      select a.id from auth.oauth_authorizations a
      where a.expires_at < ${at}::timestamptz - interval '24 hours'
      limit 100 for update skip locked
    )`)

/** Answered and unanswered challenges, after a day. */
const deleteOldChallenges: Cleanup = (tx, at) =>
  tx.execute(sql`
    delete from auth.mfa_challenges
    where id in (
      select c.id from auth.mfa_challenges c
      where c.created_at < ${at}::timestamptz - interval '24 hours'
      limit 100 for update skip locked
    )`)

/** Second factors nobody finished to enrol, after a day. */
const deleteUnfinishedFactors: Cleanup = (tx, at) =>
  tx.execute(sql`
    delete from auth.mfa_factors
    where id in (
      select f.id from auth.mfa_factors f
      where f.status = 'unverified' and f.created_at < ${at}::timestamptz - interval '24 hours'
      limit 100 for update skip locked
    )`)

/** Challenges of passkeys past their end. */
const deleteOldPasskeyChallenges: Cleanup = (tx, at) =>
  tx.execute(sql`
    delete from auth.webauthn_challenges
    where id in (
      select c.id from auth.webauthn_challenges c
      where c.expires_at < ${at}
      limit 100 for update skip locked
    )`)

/** What runs in turn, one a round. */
export const cleanups: readonly Cleanup[] = [
  deleteTradedTokens,
  deleteEndedSessions,
  deleteOldFlows,
  deleteOldClientStates,
  deleteOldAuthorizations,
  deleteOldVisits,
  deleteOldChallenges,
  deleteUnfinishedFactors,
  deleteOldPasskeyChallenges,
]
