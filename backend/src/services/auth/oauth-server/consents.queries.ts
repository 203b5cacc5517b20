import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

/** The scopes a person lets an application have, separated by spaces; undefined: none, or taken back. */
export async function findConsentedScopes(tx: Transaction, userId: string, clientId: string): Promise<string | undefined> {
  const row = await tx.maybeOne<{ scopes: string }>(sql`
    select k.scopes
    from auth.oauth_consents k
    where k.user_id = ${userId} and k.client_id = ${clientId} and k.revoked_at is null`)
  return row?.scopes
}

export interface NewConsent {
  id: string
  userId: string
  clientId: string
  scopes: string
  at: Date
}

/** Keeps a consent. One person has one with each application: the newest, also where an older one was taken back. */
export const upsertConsent = (tx: Transaction, consent: NewConsent): Promise<number> =>
  tx.execute(sql`
    insert into auth.oauth_consents (id, user_id, client_id, scopes, granted_at)
    values (${consent.id}, ${consent.userId}, ${consent.clientId}, ${consent.scopes}, ${consent.at})
    on conflict on constraint oauth_consents_user_client_unique
    do update set scopes = excluded.scopes, granted_at = excluded.granted_at, revoked_at = null`)

/** An application a person let in. */
export interface Grant {
  clientId: string
  name: string | null
  uri: string | null
  logoUri: string | null
  scopes: string
  grantedAt: string
}

/** What a person lets applications have, the newest first; without applications that are gone. */
export const listGrants = (tx: Transaction, userId: string): Promise<Grant[]> =>
  tx.many<Grant>(sql`
    select
      c.id as "clientId",
      c.client_name as name,
      c.client_uri as uri,
      c.logo_uri as "logoUri",
      k.scopes,
      k.granted_at as "grantedAt"
    from auth.oauth_consents k
    join auth.oauth_clients c on c.id = k.client_id and c.deleted_at is null
    where k.user_id = ${userId} and k.revoked_at is null
    order by k.granted_at desc, c.id`)

/** Takes a consent back. False: there was none. */
export async function revokeConsent(tx: Transaction, revoked: { userId: string; clientId: string; at: Date }): Promise<boolean> {
  const count = await tx.execute(sql`
    update auth.oauth_consents
    set revoked_at = greatest(${revoked.at}::timestamptz, granted_at)
    where user_id = ${revoked.userId} and client_id = ${revoked.clientId} and revoked_at is null`)
  return count > 0
}

/** Ends what an application has of a person: its sessions, and codes it has not traded yet. */
export async function endAccess(tx: Transaction, userId: string, clientId: string): Promise<void> {
  await tx.execute(sql`delete from auth.sessions where user_id = ${userId} and oauth_client_id = ${clientId}`)
  await tx.execute(sql`delete from auth.oauth_authorizations where user_id = ${userId} and client_id = ${clientId}`)
}
