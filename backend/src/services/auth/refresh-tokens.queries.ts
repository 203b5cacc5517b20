import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** A refresh token as it is stored. */
export interface RefreshToken {
  /** Text of a bigint. */
  id: string
  token: string
  userId: string
  sessionId: string | null
  isRevoked: boolean
  /** For a revoked one, when it was traded. */
  updatedAt: string
}

export const findRefreshToken = (tx: Transaction, token: string): Promise<RefreshToken | undefined> =>
  tx.maybeOne<RefreshToken>(sql`
    select
      t.id,
      t.token,
      t.user_id as "userId",
      t.session_id as "sessionId",
      coalesce(t.revoked, false) as "isRevoked",
      coalesce(t.updated_at, t.created_at, 'epoch') as "updatedAt"
    from auth.refresh_tokens t
    where t.token = ${token}`)

/** The newest token of a session that still works, and the one it was traded for. */
export const findActiveRefreshToken = (tx: Transaction, sessionId: string): Promise<{ token: string; parent: string | null } | undefined> =>
  tx.maybeOne(sql`
    select t.token, t.parent
    from auth.refresh_tokens t
    where t.session_id = ${sessionId} and t.revoked is false
    order by t.id desc
    limit 1`)

export interface NewRefreshToken {
  token: string
  userId: string
  sessionId: string
  /** The token it replaces; null for the first of a session. */
  parent: string | null
  at: Date
}

export const insertRefreshToken = (tx: Transaction, { token, userId, sessionId, parent, at }: NewRefreshToken): Promise<number> =>
  tx.execute(sql`
    insert into auth.refresh_tokens (instance_id, token, user_id, session_id, parent, revoked, created_at, updated_at)
    values ('00000000-0000-0000-0000-000000000000', ${token}, ${userId}, ${sessionId}, ${parent}, false, ${at}, ${at})`)

export const revokeRefreshToken = (tx: Transaction, id: string, at: Date): Promise<number> =>
  tx.execute(sql`update auth.refresh_tokens set revoked = true, updated_at = ${at} where id = ${id}`)

/** Ends a family: no token of the session works any more. */
export const revokeRefreshTokens = (tx: Transaction, sessionId: string, at: Date): Promise<number> =>
  tx.execute(sql`update auth.refresh_tokens set revoked = true, updated_at = ${at} where session_id = ${sessionId} and revoked is false`)

/** What a session's tokens of the second kind are signed with, and the number of the last one. */
export interface TokenKey {
  userId: string
  key: string
  counter: bigint
}

/** Undefined: the session is gone, or has tokens of the first kind. */
export async function findTokenKey(tx: Transaction, sessionId: string): Promise<TokenKey | undefined> {
  const found = await tx.maybeOne<{ userId: string; key: string; counter: string }>(sql`
    select s.user_id as "userId", s.refresh_token_hmac_key as key, s.refresh_token_counter::text as counter
    from auth.sessions s
    where s.id = ${sessionId} and s.refresh_token_hmac_key is not null and s.refresh_token_counter is not null`)
  return found && { ...found, counter: BigInt(found.counter) }
}

export const setTokenKey = (tx: Transaction, sessionId: string, { key, counter }: Pick<TokenKey, 'key' | 'counter'>): Promise<number> =>
  tx.execute(sql`update auth.sessions set refresh_token_hmac_key = ${key}, refresh_token_counter = ${counter} where id = ${sessionId}`)

/** Whether a token of the first kind is the last of its session. */
export async function isLastRefreshToken(tx: Transaction, { id, sessionId }: RefreshToken): Promise<boolean> {
  const later = await tx.maybeOne(sql`select t.id from auth.refresh_tokens t where t.session_id = ${sessionId} and t.id > ${id} limit 1`)
  return later === undefined
}

/** Takes every refresh token of the first kind of a session away. */
export const deleteRefreshTokens = (tx: Transaction, sessionId: string): Promise<number> =>
  tx.execute(sql`delete from auth.refresh_tokens where session_id = ${sessionId}`)
