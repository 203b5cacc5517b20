import type { Transaction } from '#database/database.ts'
import { identifier, join, json, sql, trusted, type Sql, type SqlValue } from '#database/sql.ts'

import type { Session } from './sessions.queries.ts'
import type { User } from './user.ts'

// Rows of seeds may lack what the API always writes: role, audience, metadata, tokens, moments.
const userColumns = trusted(`
  u.id,
  coalesce(nullif(u.aud, ''), 'authenticated') as aud,
  coalesce(nullif(u.role, ''), 'authenticated') as role,
  coalesce(u.email, '') as email,
  coalesce(u.phone, '') as phone,
  u.encrypted_password as "encryptedPassword",
  u.email_confirmed_at as "emailConfirmedAt",
  u.phone_confirmed_at as "phoneConfirmedAt",
  u.confirmed_at as "confirmedAt",
  u.invited_at as "invitedAt",
  coalesce(u.confirmation_token, '') as "confirmationToken",
  u.confirmation_sent_at as "confirmationSentAt",
  coalesce(u.recovery_token, '') as "recoveryToken",
  u.recovery_sent_at as "recoverySentAt",
  coalesce(u.email_change_token_current, '') as "emailChangeTokenCurrent",
  coalesce(u.email_change_token_new, '') as "emailChangeTokenNew",
  coalesce(u.email_change, '') as "emailChange",
  u.email_change_sent_at as "emailChangeSentAt",
  coalesce(u.email_change_confirm_status, 0) as "emailChangeConfirmStatus",
  coalesce(u.phone_change, '') as "phoneChange",
  coalesce(u.phone_change_token, '') as "phoneChangeToken",
  u.phone_change_sent_at as "phoneChangeSentAt",
  coalesce(u.reauthentication_token, '') as "reauthenticationToken",
  u.reauthentication_sent_at as "reauthenticationSentAt",
  u.last_sign_in_at as "lastSignInAt",
  case jsonb_typeof(u.raw_app_meta_data) when 'object' then u.raw_app_meta_data else '{}' end as "appMetadata",
  case jsonb_typeof(u.raw_user_meta_data) when 'object' then u.raw_user_meta_data else '{}' end as "userMetadata",
  u.is_sso_user as "isSsoUser",
  u.is_anonymous as "isAnonymous",
  coalesce(u.created_at, u.updated_at, 'epoch') as "createdAt",
  coalesce(u.updated_at, u.created_at, 'epoch') as "updatedAt",
  u.banned_until as "bannedUntil",
  u.deleted_at as "deletedAt",
  (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', i.id,
      'providerId', i.provider_id,
      'userId', i.user_id,
      'identityData', case jsonb_typeof(i.identity_data) when 'object' then i.identity_data else '{}' end,
      'provider', i.provider,
      'lastSignInAt', i.last_sign_in_at,
      'createdAt', coalesce(i.created_at, 'epoch'),
      'updatedAt', coalesce(i.updated_at, 'epoch'),
      'email', i.email
    ) order by i.created_at, i.id), '[]')
    from auth.identities i
    where i.user_id = u.id
  ) as identities,
  (
    select coalesce(jsonb_agg(jsonb_build_object(
      'id', f.id,
      'createdAt', f.created_at,
      'updatedAt', f.updated_at,
      'status', f.status,
      'friendlyName', f.friendly_name,
      'factorType', f.factor_type,
      'phone', f.phone,
      'lastChallengedAt', f.last_challenged_at
    ) order by f.created_at, f.id), '[]')
    from auth.mfa_factors f
    where f.user_id = u.id
  ) as factors`)

// Written so that both branches use the index on (instance_id, lower(email)); seeds leave the instance out.
const isOfInstance = trusted(`(u.instance_id = '00000000-0000-0000-0000-000000000000' or u.instance_id is null)`)

/** The person with an address, SSO accounts aside: theirs may share it. */
export const findUserByEmail = (tx: Transaction, email: string): Promise<User | undefined> =>
  tx.maybeOne<User>(sql`
    select ${userColumns}
    from auth.users u
    where ${isOfInstance} and lower(u.email) = ${email.toLowerCase()} and not u.is_sso_user
    limit 1`)

/** The person with a phone number (digits alone). */
export const findUserByPhone = (tx: Transaction, phone: string): Promise<User | undefined> =>
  tx.maybeOne<User>(sql`
    select ${userColumns}
    from auth.users u
    where u.phone = ${phone} and not u.is_sso_user
    limit 1`)

/** Everybody who waits to confirm a phone number as theirs, the last to ask first. */
export const listUsersAwaitingPhone = (tx: Transaction, phone: string): Promise<User[]> =>
  tx.many<User>(sql`
    select ${userColumns}
    from auth.users u
    where u.phone_change = ${phone} and not u.is_sso_user
    order by u.phone_change_sent_at desc nulls last, u.id
    limit 10`)

export const findUserAwaitingPhone = async (tx: Transaction, phone: string): Promise<User | undefined> => (await listUsersAwaitingPhone(tx, phone))[0]

export const findUserById = (tx: Transaction, id: string): Promise<User | undefined> =>
  tx.maybeOne<User>(sql`select ${userColumns} from auth.users u where u.id = ${id}`)

/** A person and the session a token names, in one statement. The session is null when it has ended or is somebody else's. */
export const findUserWithSession = (tx: Transaction, id: string, sessionId: string | null): Promise<(User & { session: Session | null }) | undefined> =>
  tx.maybeOne(sql`
    select
      ${userColumns},
      (
        select jsonb_build_object(
          'id', s.id,
          'userId', s.user_id,
          'createdAt', coalesce(s.created_at, 'epoch'),
          'refreshedAt', s.refreshed_at,
          'notAfter', s.not_after,
          'aal', coalesce(s.aal::text, 'aal1'),
          'tag', s.tag,
          'oauthClientId', s.oauth_client_id,
          'scopes', s.scopes,
          'methods', (
            select coalesce(jsonb_agg(jsonb_build_object('method', c.authentication_method, 'at', c.updated_at)), '[]')
            from auth.mfa_amr_claims c
            where c.session_id = s.id
          )
        )
        from auth.sessions s
        where s.id = ${sessionId} and s.user_id = u.id
      ) as session
    from auth.users u
    where u.id = ${id}`)

/** Reads a person and keeps every other transaction from changing them until this one ends. */
export async function lockUser(tx: Transaction, id: string): Promise<User | undefined> {
  await tx.maybeOne(sql`select u.id from auth.users u where u.id = ${id} for update`)
  return findUserById(tx, id)
}

/** Someone else who uses an address, be it as their own or in an identity. */
export const findUserUsingEmail = (tx: Transaction, email: string, exceptId: string | null): Promise<User | undefined> =>
  tx.maybeOne<User>(sql`
    select ${userColumns}
    from auth.users u
    where u.id is distinct from ${exceptId}::uuid
      and not u.is_sso_user
      and (
        (${isOfInstance} and lower(u.email) = ${email})
        or u.id in (select i.user_id from auth.identities i where i.email = ${email} and i.provider not like 'sso:%')
      )
    order by lower(u.email) = ${email} desc nulls last
    limit 1`)

/** What is known of a person when their row is made. */
export interface NewUser {
  id: string
  aud: string
  role: string
  email: string | null
  phone: string | null
  encryptedPassword: string
  appMetadata: Readonly<Record<string, unknown>>
  userMetadata: Readonly<Record<string, unknown>>
  isAnonymous: boolean
  /** The address may be somebody else's too: the person belongs to an identity provider of their own. */
  isSsoUser: boolean
  at: Date
}

/** Adds a person. The project's triggers on the table run now, and may refuse. */
export const insertUser = (tx: Transaction, user: NewUser): Promise<number> =>
  tx.execute(sql`
    insert into auth.users (
      instance_id, id, aud, role, email, phone, encrypted_password, raw_app_meta_data, raw_user_meta_data,
      confirmation_token, recovery_token, email_change_token_current, email_change_token_new, email_change,
      phone_change, phone_change_token, reauthentication_token, is_sso_user, is_anonymous, created_at, updated_at
    ) values (
      '00000000-0000-0000-0000-000000000000', ${user.id}, ${user.aud}, ${user.role}, ${user.email}, ${user.phone},
      ${user.encryptedPassword}, ${json(user.appMetadata)}, ${json(user.userMetadata)},
      '', '', '', '', '', '', '', '', ${user.isSsoUser}, ${user.isAnonymous}, ${user.at}, ${user.at}
    )`)

/** Columns of a person that change, by their name in the table. */
export interface UserChanges {
  aud?: string
  role?: string
  email?: string | null
  phone?: string | null
  encrypted_password?: string | null
  email_confirmed_at?: Date | null
  phone_confirmed_at?: Date | null
  invited_at?: Date
  confirmation_token?: string
  confirmation_sent_at?: Date | null
  recovery_token?: string
  recovery_sent_at?: Date | null
  email_change?: string
  email_change_token_current?: string
  email_change_token_new?: string
  email_change_sent_at?: Date | null
  email_change_confirm_status?: number
  phone_change?: string
  phone_change_token?: string
  phone_change_sent_at?: Date | null
  reauthentication_token?: string
  reauthentication_sent_at?: Date | null
  last_sign_in_at?: Date
  raw_app_meta_data?: Readonly<Record<string, unknown>>
  raw_user_meta_data?: Readonly<Record<string, unknown>>
  banned_until?: Date | null
  deleted_at?: Date
  is_anonymous?: boolean
}

const columnValue = (column: string, value: unknown): SqlValue => (column.startsWith('raw_') ? json(value) : (value as SqlValue))

/** Writes the given columns and no others. */
export function updateUser(tx: Transaction, id: string, { at, ...changes }: UserChanges & { at: Date }): Promise<number> {
  const assignments: Sql[] = Object.entries(changes).map(([column, value]) => sql`${identifier(column)} = ${columnValue(column, value)}`)
  return tx.execute(sql`update auth.users set ${join([...assignments, sql`updated_at = ${at}`])} where id = ${id}`)
}

/** Removes a person and, by the foreign keys, all that is theirs. */
export const deleteUser = (tx: Transaction, id: string): Promise<number> => tx.execute(sql`delete from auth.users where id = ${id}`)

/** One page of people, and how many there are in all. */
export interface UserPage {
  /** From 1. */
  page: number
  perPage: number
  /** Part of an e-mail address or of the full name in the metadata; empty: everybody. */
  filter: string
  isAscending: boolean
}

const likePattern = (part: string): string => `%${part.replace(/[\\%_]/g, '\\$&')}%`

const pageCondition = (filter: string): Sql =>
  filter === '' ? sql`true` : sql`(u.email like ${likePattern(filter)} or u.raw_user_meta_data ->> 'full_name' ilike ${likePattern(filter)})`

export const listUsers = (tx: Transaction, { page, perPage, filter, isAscending }: UserPage): Promise<User[]> =>
  tx.many<User>(sql`
    select ${userColumns}
    from auth.users u
    where ${pageCondition(filter)}
    order by u.created_at ${trusted(isAscending ? 'asc' : 'desc')}, u.id
    limit ${perPage} offset ${(page - 1) * perPage}`)

export async function countUsers(tx: Transaction, filter: string): Promise<number> {
  const { total } = await tx.one<{ total: string }>(sql`select count(*) as total from auth.users u where ${pageCondition(filter)}`)
  return Number(total)
}
