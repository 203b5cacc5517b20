import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** What a mailed token is for. One live token a person and kind. */
export type OneTimeTokenKind =
  | 'confirmation_token'
  | 'recovery_token'
  | 'email_change_token_new'
  | 'email_change_token_current'
  | 'reauthentication_token'
  | 'phone_change_token'

export interface NewOneTimeToken {
  id: string
  userId: string
  kind: OneTimeTokenKind
  hash: string
  /** The address it was sent to. */
  relatesTo: string
}

/** Keeps a token; the person's older one of that kind is void from now on. */
export const replaceOneTimeToken = (tx: Transaction, { id, userId, kind, hash, relatesTo }: NewOneTimeToken): Promise<number> =>
  tx.execute(sql`
    insert into auth.one_time_tokens (id, user_id, token_type, token_hash, relates_to)
    values (${id}, ${userId}, ${kind}, ${hash}, ${relatesTo.toLowerCase()})
    on conflict (user_id, token_type)
    do update set token_hash = excluded.token_hash, relates_to = excluded.relates_to, created_at = now(), updated_at = now()`)

/** The person a live token belongs to, and what it is for. */
export const findOneTimeToken = (
  tx: Transaction,
  hash: string,
  kinds: readonly OneTimeTokenKind[],
): Promise<{ userId: string; kind: OneTimeTokenKind } | undefined> =>
  tx.maybeOne(sql`
    select t.user_id as "userId", t.token_type::text as kind
    from auth.one_time_tokens t
    where t.token_hash = ${hash} and t.token_type::text = any(${[...kinds]}::text[])
    limit 1`)

export const deleteOneTimeTokens = (tx: Transaction, userId: string): Promise<number> =>
  tx.execute(sql`delete from auth.one_time_tokens where user_id = ${userId}`)

export const deleteOneTimeToken = (tx: Transaction, userId: string, kind: OneTimeTokenKind): Promise<number> =>
  tx.execute(sql`delete from auth.one_time_tokens where user_id = ${userId} and token_type = ${kind}`)
