import type { Transaction } from '#database/database.ts'
import { sql, trusted } from '#database/sql.ts'
import type { Factor } from '#services/auth/user.ts'

/** A second factor with what proves it. */
export interface EnrolledFactor extends Factor {
  userId: string
  /** Key of an authenticator app, in base 32. */
  secret: string | null
  /** As the hosted backend keeps a WebAuthn credential. */
  credential: unknown
}

const factorColumns = trusted(`
  f.id,
  f.user_id as "userId",
  f.created_at as "createdAt",
  f.updated_at as "updatedAt",
  f.status,
  f.friendly_name as "friendlyName",
  f.factor_type as "factorType",
  f.phone,
  f.last_challenged_at as "lastChallengedAt",
  f.secret,
  f.web_authn_credential as credential`)

/** A factor of one person; somebody else's is as if it did not exist. */
export const findFactor = (tx: Transaction, userId: string, id: string): Promise<EnrolledFactor | undefined> =>
  tx.maybeOne<EnrolledFactor>(sql`select ${factorColumns} from auth.mfa_factors f where f.id = ${id} and f.user_id = ${userId}`)

/** Reads a factor and keeps every other transaction from using or changing it until this one ends. */
export const lockFactor = (tx: Transaction, userId: string, id: string): Promise<EnrolledFactor | undefined> =>
  tx.maybeOne<EnrolledFactor>(sql`select ${factorColumns} from auth.mfa_factors f where f.id = ${id} and f.user_id = ${userId} for update`)

export interface NewFactor {
  id: string
  userId: string
  friendlyName: string
  factorType: string
  status: 'verified' | 'unverified'
  secret?: string
  phone?: string
  at: Date
}

export const insertFactor = (tx: Transaction, factor: NewFactor): Promise<number> =>
  tx.execute(sql`
    insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, secret, phone, created_at, updated_at)
    values (
      ${factor.id}, ${factor.userId}, ${factor.friendlyName}, ${factor.factorType}::auth.factor_type, ${factor.status}::auth.factor_status,
      ${factor.secret ?? null}, ${factor.phone ?? null}, ${factor.at}, ${factor.at}
    )`)

export const verifyFactorRow = (tx: Transaction, id: string, at: Date): Promise<number> =>
  tx.execute(sql`update auth.mfa_factors set status = 'verified', updated_at = ${at} where id = ${id}`)

export const renameFactor = (tx: Transaction, id: string, changes: { friendlyName: string; phone: string | null; at: Date }): Promise<number> =>
  tx.execute(sql`
    update auth.mfa_factors
    set friendly_name = ${changes.friendlyName}, phone = ${changes.phone}, updated_at = ${changes.at}
    where id = ${id}`)

export const deleteFactor = (tx: Transaction, id: string): Promise<number> => tx.execute(sql`delete from auth.mfa_factors where id = ${id}`)

/** Takes the person's other half-finished factors of a kind away. */
export const deleteUnverifiedFactors = (tx: Transaction, userId: string, factorType: string): Promise<number> =>
  tx.execute(sql`
    delete from auth.mfa_factors
    where user_id = ${userId} and status = 'unverified' and factor_type = ${factorType}::auth.factor_type`)

/** Takes the person's half-finished factors away that nobody came back to within a challenge's life. */
export const deleteAbandonedFactors = (tx: Transaction, userId: string, before: Date): Promise<number> =>
  tx.execute(sql`
    delete from auth.mfa_factors f
    where f.user_id = ${userId}
      and f.status = 'unverified'
      and f.created_at < ${before}
      and not exists (select from auth.mfa_challenges c where c.factor_id = f.id and c.created_at >= ${before})`)
