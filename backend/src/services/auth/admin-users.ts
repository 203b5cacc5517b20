import { createHash } from 'node:crypto'

import { DatabaseError } from '#database/database-error.ts'
import type { Transaction } from '#database/database.ts'
import type { z } from 'zod'

import { recordAudit, type Actor } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { readBody, readOptionalBody, reply, type Call } from './call.ts'
import { requireAdmin } from './caller.ts'
import { isUuid } from './codes.ts'
import { confirmEmail, confirmPhone } from './confirm.ts'
import { readEmail, readPhone } from './email-address.ts'
import { authError, databaseFailure, invalidRequest } from './errors.ts'
import { readForeignHash } from './foreign-hashes.ts'
import { goDurationMs } from './go-duration.ts'
import { insertIdentity, mergeIdentityData, obfuscateIdentity } from './identities.queries.ts'
import { addOwnIdentity, createUser, ownIdentityData, reloadUser } from './new-user.ts'
import { deleteOneTimeTokens } from './one-time-tokens.queries.ts'
import { requireGoodPassword } from './password-rules.ts'
import { isBcryptHash } from './passwords.ts'
import { deleteFactorsOf } from './factors.queries.ts'
import { deleteSessionsOf } from './sessions.queries.ts'
import { mergeMetadata, userBody, type User } from './user.ts'
import { deleteUser, findUserById, findUserByPhone, findUserUsingEmail, lockUser, updateUser, type UserChanges } from './users.queries.ts'
import { adminDeleteBody, adminUserBody } from './wire.ts'

type AdminUser = z.output<typeof adminUserBody>

const nilUuid = '00000000-0000-0000-0000-000000000000'

/** The person a path names. @throws `validation_failed` (404) for what is no id, `user_not_found` (404). */
export async function requireNamedUser(auth: Auth, call: Call): Promise<User> {
  const id = call.params.user_id ?? ''
  if (!isUuid(id)) throw authError('validation_failed', { status: 404, message: 'user_id must be an UUID' })
  const user = await auth.transact((tx) => findUserById(tx, id), { readOnly: true })
  if (!user) throw authError('user_not_found')
  return user
}

/** When a ban of `24h` ends; null for `none`; undefined when the request says nothing of it. */
function bannedUntil(auth: Auth, duration: string): Date | null | undefined {
  if (duration === '') return undefined
  if (duration === 'none') return null
  const ms = goDurationMs(duration)
  if (ms === undefined) throw invalidRequest(`invalid format for ban duration: time: invalid duration "${duration}"`)
  return ms === 0 ? null : new Date(auth.now().getTime() + ms)
}

async function readHash(auth: Auth, given: AdminUser): Promise<string> {
  if (given.password !== undefined && given.password_hash !== '') {
    throw invalidRequest('Only a password or a password hash should be provided')
  }
  if (given.password_hash === '') {
    if (Buffer.byteLength(given.password ?? '') > 72) throw invalidRequest('bcrypt: password length exceeds 72 bytes')
    return auth.passwords.hash(given.password || auth.random.word(40))
  }
  if (!isBcryptHash(given.password_hash) && !readForeignHash(given.password_hash)) throw authError('unexpected_failure', { message: 'Error creating user' })
  return given.password_hash
}

async function requireFree(tx: Transaction, person: { email: string; phone: string; exceptId: string | null }): Promise<void> {
  if (person.email !== '' && (await findUserUsingEmail(tx, person.email, person.exceptId))) throw authError('email_exists')
  const byPhone = person.phone === '' ? undefined : await findUserByPhone(tx, person.phone)
  if (byPhone && byPhone.id !== person.exceptId) throw authError('phone_exists', { message: 'Phone number already registered by another user' })
}

const traitsOf = (user: User) => ({ user_id: user.id, user_email: user.email, user_phone: user.phone })

async function create(auth: Auth, tx: Transaction, asked: { given: AdminUser; hash: string; actor: Actor }): Promise<User> {
  const { given, hash, actor } = asked
  const providers = [given.email !== '' && ('email' as const), given.phone !== '' && ('phone' as const)].filter((one) => one !== false)
  const [first = 'email'] = providers
  await requireFree(tx, { email: given.email, phone: given.phone, exceptId: null })
  const created = await createUser(auth, tx, {
    provider: first,
    email: given.email,
    phone: given.phone,
    encryptedPassword: hash,
    data: given.user_metadata ?? {},
    ...(given.id === '' ? {} : { id: given.id }),
    ...(given.role === '' ? {} : { role: given.role }),
    ...(given.aud === '' ? {} : { aud: given.aud }),
  })
  let user = created
  for (const provider of providers) user = await addOwnIdentity(auth, tx, { user, provider })
  await recordAudit(auth, tx, { actor, action: 'user_signedup', traits: { ...traitsOf(user), provider: first } })
  const until = bannedUntil(auth, given.ban_duration)
  await updateUser(tx, user.id, {
    raw_app_meta_data: mergeMetadata({ provider: first, providers }, given.app_metadata ?? {}),
    ...(until === undefined ? {} : { banned_until: until }),
    at: auth.now(),
  })
  if (given.email_confirm) user = await confirmEmail(auth, tx, user)
  if (given.phone_confirm) user = await confirmPhone(auth, tx, user)
  return reloadUser(tx, user.id)
}

/**
 * `POST /admin/users`.
 *
 * @throws `email_exists`, `phone_exists` (422), `validation_failed` (400), `unexpected_failure` (500) when the database refuses.
 * @see supabase/auth internal/api/admin.go, `adminUserCreate`
 */
export async function createAdminUser(auth: Auth, call: Call): Promise<Response> {
  const actor = await requireAdmin(auth, call)
  const given = await readBody(call, adminUserBody)
  if (given.email === '' && given.phone === '') throw invalidRequest('Cannot create a user without either an email or phone')
  const email = given.email === '' ? '' : readEmail(given.email)
  const phone = given.phone === '' ? '' : readPhone(given.phone)
  if (given.id !== '' && !isUuid(given.id)) throw invalidRequest('ID must conform to the uuid v4 format')
  if (given.id === nilUuid) throw invalidRequest('ID cannot be a nil uuid')
  bannedUntil(auth, given.ban_duration)
  const hash = await readHash(auth, given)
  const user = await auth.transact((tx) => create(auth, tx, { given: { ...given, email, phone }, hash, actor }))
  return reply(call, userBody(user))
}

/** `GET /admin/users/{id}`. */
export async function getAdminUser(auth: Auth, call: Call): Promise<Response> {
  await requireAdmin(auth, call)
  return reply(call, userBody(await requireNamedUser(auth, call)))
}

async function writeContact(auth: Auth, tx: Transaction, { user, given, provider }: { user: User; given: AdminUser; provider: 'email' | 'phone' }): Promise<void> {
  const isVerified = provider === 'email' ? given.email_confirm : given.phone_confirm
  const facts = provider === 'email' ? { email: given.email, emailVerified: isVerified } : { phone: given.phone, phoneVerified: isVerified }
  const own = user.identities.find((identity) => identity.provider === provider)
  const merged = provider === 'email' ? { email: given.email, email_verified: isVerified } : { phone: given.phone, phone_verified: isVerified }
  if (own) await mergeIdentityData(tx, own.id, merged)
  else await insertIdentity(tx, { userId: user.id, provider, data: ownIdentityData(user.id, facts), at: auth.now() })
  const changes: UserChanges = { [provider]: given[provider], ...(user.isAnonymous && isVerified ? { is_anonymous: false } : {}) }
  await updateUser(tx, user.id, { ...changes, at: auth.now() })
}

async function update(auth: Auth, tx: Transaction, asked: { id: string; given: AdminUser; hash: string | undefined; actor: Actor }): Promise<User> {
  const { given, hash, actor } = asked
  const user = await lockUser(tx, asked.id)
  if (!user) throw authError('user_not_found')
  await requireFree(tx, { email: given.email, phone: given.phone, exceptId: user.id })
  if (given.email_confirm) await confirmEmail(auth, tx, user)
  if (given.phone_confirm) await confirmPhone(auth, tx, user)
  if (hash !== undefined) {
    await deleteOneTimeTokens(tx, user.id)
    await deleteSessionsOf(tx, user.id)
  }
  if (given.email !== '') await writeContact(auth, tx, { user, given, provider: 'email' })
  if (given.phone !== '') await writeContact(auth, tx, { user, given, provider: 'phone' })
  const until = bannedUntil(auth, given.ban_duration)
  const fresh = await reloadUser(tx, user.id)
  await updateUser(tx, user.id, {
    ...(given.role === '' ? {} : { role: given.role.trim() }),
    ...(hash === undefined ? {} : { encrypted_password: hash, confirmation_token: '', recovery_token: '', reauthentication_token: '' }),
    ...(given.app_metadata ? { raw_app_meta_data: mergeMetadata(fresh.appMetadata, given.app_metadata) } : {}),
    ...(given.user_metadata ? { raw_user_meta_data: mergeMetadata(fresh.userMetadata, given.user_metadata) } : {}),
    ...(until === undefined ? {} : { banned_until: until }),
    at: auth.now(),
  })
  await recordAudit(auth, tx, { actor, action: 'user_modified', traits: traitsOf(user) })
  return reloadUser(tx, user.id)
}

/** `PUT /admin/users/{id}`: what is named changes at once, without mail. @see supabase/auth internal/api/admin.go, `adminUserUpdate` */
export async function updateAdminUser(auth: Auth, call: Call): Promise<Response> {
  const actor = await requireAdmin(auth, call)
  const { id } = await requireNamedUser(auth, call)
  const given = await readBody(call, adminUserBody)
  const email = given.email === '' ? '' : readEmail(given.email)
  const phone = given.phone === '' ? '' : readPhone(given.phone)
  bannedUntil(auth, given.ban_duration)
  if (given.password !== undefined) await requireGoodPassword(auth, given.password)
  const hash = given.password === undefined ? undefined : await auth.passwords.hash(given.password)
  const user = await auth.transact((tx) => update(auth, tx, { id, given: { ...given, email, phone }, hash, actor }))
  return reply(call, userBody(user))
}

const obfuscated = (userId: string, value: string): string => createHash('sha256').update(userId + value).digest('base64url')

// The row stays for foreign keys; nothing on it names or lets in the person any more.
async function softDelete(auth: Auth, tx: Transaction, user: User): Promise<void> {
  if (user.deletedAt !== null) return
  const at = auth.now()
  await updateUser(tx, user.id, {
    email: obfuscated(user.id, user.email),
    phone: obfuscated(user.id, user.phone).slice(0, 15),
    email_change: obfuscated(user.id, user.emailChange),
    phone_change: obfuscated(user.id, user.phoneChange).slice(0, 15),
    encrypted_password: null,
    confirmation_token: '',
    recovery_token: '',
    email_change_token_current: '',
    email_change_token_new: '',
    phone_change_token: '',
    raw_user_meta_data: {},
    raw_app_meta_data: {},
    deleted_at: at,
    at,
  })
  await deleteOneTimeTokens(tx, user.id)
  for (const identity of user.identities) await obfuscateIdentity(tx, identity.id, obfuscated(user.id, identity.provider + identity.providerId))
  await deleteFactorsOf(tx, user.id)
  await deleteSessionsOf(tx, user.id)
}

async function hardDelete(tx: Transaction, user: User): Promise<void> {
  try {
    await deleteUser(tx, user.id)
  } catch (error) {
    if (error instanceof DatabaseError) throw databaseFailure('Database error deleting user', error)
    throw error
  }
}

/** `DELETE /admin/users/{id}`; `should_soft_delete` keeps an empty row. @see supabase/auth internal/api/admin.go, `adminUserDelete` */
export async function deleteAdminUser(auth: Auth, call: Call): Promise<Response> {
  const actor = await requireAdmin(auth, call)
  const user = await requireNamedUser(auth, call)
  const { should_soft_delete: isSoft } = await readOptionalBody(call, adminDeleteBody)
  await auth.transact(async (tx) => {
    await recordAudit(auth, tx, { actor, action: 'user_deleted', traits: traitsOf(user) })
    if (isSoft) await softDelete(auth, tx, user)
    else await hardDelete(tx, user)
  })
  return reply(call, {})
}
