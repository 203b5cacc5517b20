import type { Transaction } from '#database/database.ts'
import { sql, trusted } from '#database/sql.ts'
import type { PkceChallenge } from '#services/auth/pkce.ts'

/** One request of an application for a person's consent. Moments as Postgres writes them. */
export interface Authorization {
  id: string
  /** What the consent page is asked for: 32 letters and digits. */
  authorizationId: string
  clientId: string
  /** Null until somebody signed in looks at it. */
  userId: string | null
  redirectUri: string
  scope: string
  state: string | null
  resource: string | null
  codeChallenge: string | null
  codeChallengeMethod: PkceChallenge['method'] | null
  nonce: string | null
  status: 'pending' | 'approved' | 'denied' | 'expired'
  code: string | null
  expiresAt: string
}

const authorizationColumns = trusted(`
  a.id,
  a.authorization_id as "authorizationId",
  a.client_id as "clientId",
  a.user_id as "userId",
  a.redirect_uri as "redirectUri",
  a.scope,
  a.state,
  a.resource,
  a.code_challenge as "codeChallenge",
  a.code_challenge_method as "codeChallengeMethod",
  a.nonce,
  a.status,
  a.authorization_code as code,
  a.expires_at as "expiresAt"`)

/** What is known of a request when it arrives. Empty texts are kept as null. */
export interface NewAuthorization {
  id: string
  authorizationId: string
  clientId: string
  redirectUri: string
  scope: string
  state: string
  resource: string
  nonce: string
  challenge: PkceChallenge
  at: Date
  expiresAt: Date
}

export const insertAuthorization = (tx: Transaction, asked: NewAuthorization): Promise<number> =>
  tx.execute(sql`
    insert into auth.oauth_authorizations (
      id, authorization_id, client_id, redirect_uri, scope, state, resource, nonce, code_challenge, code_challenge_method, created_at, expires_at
    ) values (
      ${asked.id}, ${asked.authorizationId}, ${asked.clientId}, ${asked.redirectUri}, ${asked.scope}, ${asked.state || null}, ${asked.resource || null},
      ${asked.nonce || null}, ${asked.challenge.challenge}, ${asked.challenge.method}, ${asked.at}, ${asked.expiresAt}
    )`)

/** Reads a request and keeps it to this transaction, waiting for another that holds it. */
export const lockAuthorization = (tx: Transaction, authorizationId: string): Promise<Authorization | undefined> =>
  tx.maybeOne<Authorization>(sql`
    select ${authorizationColumns}
    from auth.oauth_authorizations a
    where a.authorization_id = ${authorizationId}
    for update`)

/** Reads the approved request a code belongs to and keeps it to this transaction. */
export const lockAuthorizationByCode = (tx: Transaction, code: string): Promise<Authorization | undefined> =>
  tx.maybeOne<Authorization>(sql`
    select ${authorizationColumns}
    from auth.oauth_authorizations a
    where a.authorization_code = ${code} and a.status = 'approved'
    for update`)

export const bindAuthorization = (tx: Transaction, id: string, userId: string): Promise<number> =>
  tx.execute(sql`update auth.oauth_authorizations set user_id = ${userId} where id = ${id}`)

export const approveAuthorization = (tx: Transaction, id: string, approved: { code: string; at: Date }): Promise<number> =>
  tx.execute(sql`
    update auth.oauth_authorizations
    set status = 'approved', approved_at = ${approved.at}, authorization_code = ${approved.code}
    where id = ${id}`)

export const closeAuthorization = (tx: Transaction, id: string, status: 'denied' | 'expired'): Promise<number> =>
  tx.execute(sql`update auth.oauth_authorizations set status = ${status}::auth.oauth_authorization_status where id = ${id}`)

export const deleteAuthorization = (tx: Transaction, id: string): Promise<number> =>
  tx.execute(sql`delete from auth.oauth_authorizations where id = ${id}`)
