import type { Transaction } from '#database/database.ts'
import { json, sql } from '#database/sql.ts'

/** What is known of a new identity. */
export interface NewIdentity {
  userId: string
  provider: string
  /** Holds `sub`, the person's id at the provider. */
  data: Readonly<Record<string, unknown>> & { sub: string }
  at: Date
}

/** Adds a way to sign in; one that is already there stays as it is. */
export const insertIdentity = (tx: Transaction, { userId, provider, data, at }: NewIdentity): Promise<number> =>
  tx.execute(sql`
    insert into auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at)
    values (${data.sub}, ${userId}, ${json(data)}, ${provider}, ${at}, ${at}, ${at})
    on conflict (provider_id, provider) do nothing`)

/** Merges facts into an identity's data. */
export const mergeIdentityData = (tx: Transaction, id: string, facts: Readonly<Record<string, unknown>>): Promise<number> =>
  tx.execute(sql`
    update auth.identities
    set identity_data = identity_data || ${json(facts)}::jsonb, updated_at = now()
    where id = ${id}`)

/** Empties an identity and gives it an id nobody can sign in with. */
export const obfuscateIdentity = (tx: Transaction, id: string, providerId: string): Promise<number> =>
  tx.execute(sql`update auth.identities set identity_data = '{}', provider_id = ${providerId} where id = ${id}`)

/** Leaves a person one way to sign in. */
export const deleteOtherIdentities = (tx: Transaction, userId: string, keptId: string): Promise<number> =>
  tx.execute(sql`delete from auth.identities where user_id = ${userId} and id <> ${keptId}`)
