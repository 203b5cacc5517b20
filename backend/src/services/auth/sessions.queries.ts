import type { Transaction } from '#database/database.ts'
import { sql, trusted } from '#database/sql.ts'

/** A signed-in device. Moments as Postgres writes them. */
export interface Session {
  id: string
  userId: string
  createdAt: string
  refreshedAt: string | null
  notAfter: string | null
  aal: 'aal1' | 'aal2' | 'aal3'
  tag: string | null
  oauthClientId: string | null
  scopes: string | null
  /** How the person proved who they are, in no order. */
  methods: { method: string; at: string }[]
}

const sessionColumns = trusted(`
  s.id,
  s.user_id as "userId",
  coalesce(s.created_at, 'epoch') as "createdAt",
  s.refreshed_at as "refreshedAt",
  s.not_after as "notAfter",
  coalesce(s.aal::text, 'aal1') as aal,
  s.tag,
  s.oauth_client_id as "oauthClientId",
  s.scopes,
  (
    select coalesce(jsonb_agg(jsonb_build_object('method', c.authentication_method, 'at', c.updated_at)), '[]')
    from auth.mfa_amr_claims c
    where c.session_id = s.id
  ) as methods`)

/** The application a session was granted to, and what for: `openid email`. */
export interface SessionClient {
  clientId: string
  scopes: string
}

export interface NewSession {
  id: string
  userId: string
  client?: SessionClient | undefined
  userAgent: string | null
  ip: string | null
  at: Date
}

export const insertSession = (tx: Transaction, { id, userId, client, userAgent, ip, at }: NewSession): Promise<number> =>
  tx.execute(sql`
    insert into auth.sessions (id, user_id, created_at, updated_at, aal, user_agent, ip, oauth_client_id, scopes)
    values (${id}, ${userId}, ${at}, ${at}, 'aal1', ${userAgent}, ${ip}, ${client?.clientId ?? null}, ${client?.scopes ?? null})`)

/** Notes how a person proved who they are; the same way again renews its moment. */
export const recordMethod = (tx: Transaction, claim: { id: string; sessionId: string; method: string; at: Date }): Promise<number> =>
  tx.execute(sql`
    insert into auth.mfa_amr_claims (id, session_id, created_at, updated_at, authentication_method)
    values (${claim.id}, ${claim.sessionId}, ${claim.at}, ${claim.at}, ${claim.method})
    on conflict on constraint mfa_amr_claims_session_id_authentication_method_pkey
    do update set updated_at = excluded.updated_at`)

/** The person's other sessions, to find the newest. */
export const listOtherSessions = (tx: Transaction, userId: string, sessionId: string): Promise<Session[]> =>
  tx.many<Session>(sql`select ${sessionColumns} from auth.sessions s where s.user_id = ${userId} and s.id <> ${sessionId}`)

/** Keeps a session to this transaction, waiting for another that holds it. False: it is gone. */
export async function lockSession(tx: Transaction, id: string): Promise<boolean> {
  const locked = await tx.maybeOne(sql`select s.id from auth.sessions s where s.id = ${id} for update`)
  return locked !== undefined
}

export const touchSession = (tx: Transaction, id: string, seen: { userAgent: string | null; ip: string | null; at: Date }): Promise<number> =>
  tx.execute(sql`
    update auth.sessions
    set refreshed_at = ${seen.at}::timestamptz at time zone 'UTC', user_agent = ${seen.userAgent}, ip = ${seen.ip}, updated_at = ${seen.at}
    where id = ${id}`)

export const deleteSession = (tx: Transaction, id: string): Promise<number> => tx.execute(sql`delete from auth.sessions where id = ${id}`)

export const deleteSessionsOf = (tx: Transaction, userId: string): Promise<number> =>
  tx.execute(sql`delete from auth.sessions where user_id = ${userId}`)

export const deleteOtherSessions = (tx: Transaction, userId: string, sessionId: string): Promise<number> =>
  tx.execute(sql`delete from auth.sessions where user_id = ${userId} and id <> ${sessionId}`)
