import type { Transaction } from '#database/database.ts'
import { json, sql } from '#database/sql.ts'

/** An identity by what decides whose it is. */
export interface IdentityOwner {
  id: string
  userId: string
  provider: string
}

export const findIdentity = (tx: Transaction, provider: string, subject: string): Promise<IdentityOwner | undefined> =>
  tx.maybeOne<IdentityOwner>(sql`
    select i.id, i.user_id as "userId", i.provider
    from auth.identities i
    where i.provider_id = ${subject} and i.provider = ${provider}`)

/** Identities whose provider has verified one of these addresses. What nobody has verified decides nothing. */
export const listIdentitiesByEmail = (tx: Transaction, emails: readonly string[]): Promise<IdentityOwner[]> =>
  tx.many<IdentityOwner>(sql`
    select i.id, i.user_id as "userId", i.provider
    from auth.identities i
    where i.email = any(${[...emails]}::text[])
      and (i.provider like 'sso:%' or i.identity_data ->> 'email_verified' = 'true')
    order by i.created_at, i.id`)

/** People who have one of these addresses, those of SSO aside. */
export const listUserIdsByEmail = (tx: Transaction, emails: readonly string[]): Promise<{ id: string }[]> =>
  tx.many<{ id: string }>(sql`
    select u.id
    from auth.users u
    where lower(u.email) = any(${[...emails]}::text[]) and not u.is_sso_user
    limit 2`)

/** Writes what the provider tells now over what it told before. */
export const refreshIdentity = (tx: Transaction, told: { id: string; data: Readonly<Record<string, unknown>>; at: Date }): Promise<number> =>
  tx.execute(sql`
    update auth.identities
    set identity_data = ${json(told.data)}, last_sign_in_at = ${told.at}, updated_at = ${told.at}
    where id = ${told.id}`)

export const deleteOtherIdentities = (tx: Transaction, userId: string, keptId: string): Promise<number> =>
  tx.execute(sql`delete from auth.identities where user_id = ${userId} and id <> ${keptId}`)

export const deleteIdentity = (tx: Transaction, id: string): Promise<number> =>
  tx.execute(sql`delete from auth.identities where id = ${id}`)
