import type { Transaction } from '#database/database.ts'
import type { z } from 'zod'

import { recordAudit, type Actor } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { readBody, reply, type Call } from './call.ts'
import { requireAdmin } from './caller.ts'
import { tokenHash } from './codes.ts'
import { readEmail } from './email-address.ts'
import { authError, invalidRequest } from './errors.ts'
import { findOrInvite } from './invite.ts'
import { confirmationUrl, storeToken } from './letters.ts'
import { addOwnIdentity, createUser, reloadUser } from './new-user.ts'
import type { OneTimeTokenKind } from './one-time-tokens.queries.ts'
import { requireGoodPassword } from './password-rules.ts'
import { isConfirmed, mergeMetadata, userBody, type User } from './user.ts'
import { findUserByEmail, findUserUsingEmail, updateUser, type UserChanges } from './users.queries.ts'
import { generateLinkBody } from './wire.ts'

const linkTypes = ['signup', 'invite', 'magiclink', 'recovery', 'email_change_current', 'email_change_new'] as const
type GeneratedType = (typeof linkTypes)[number]

interface Asked {
  type: GeneratedType
  email: string
  newEmail: string
  data: Readonly<Record<string, unknown>>
  encryptedPassword: string
  redirectTo: string
  actor: Actor
  code: string
}

const kinds: Readonly<Record<GeneratedType, OneTimeTokenKind>> = {
  signup: 'confirmation_token',
  invite: 'confirmation_token',
  magiclink: 'recovery_token',
  recovery: 'recovery_token',
  email_change_current: 'email_change_token_current',
  email_change_new: 'email_change_token_new',
}

async function findOrSignUp(auth: Auth, tx: Transaction, asked: Asked): Promise<User> {
  const found = await findUserByEmail(tx, asked.email)
  if (found && isConfirmed(found)) throw authError('email_exists')
  if (found) {
    await updateUser(tx, found.id, { raw_user_meta_data: mergeMetadata(found.userMetadata, asked.data), at: auth.now() })
    return reloadUser(tx, found.id)
  }
  const person = { provider: 'email', email: asked.email, encryptedPassword: asked.encryptedPassword, data: asked.data } as const
  return addOwnIdentity(auth, tx, { user: await createUser(auth, tx, person), provider: 'email' })
}

async function findOwner(auth: Auth, tx: Transaction, asked: Asked): Promise<User> {
  if (asked.type === 'invite') return findOrInvite(auth, tx, asked)
  if (asked.type === 'signup') return findOrSignUp(auth, tx, asked)
  const user = await findUserByEmail(tx, asked.email)
  if (!user) throw authError('user_not_found', { message: 'User with this email not found' })
  if (asked.type.startsWith('email_change') && (await findUserUsingEmail(tx, asked.newEmail, user.id))) throw authError('email_exists')
  if (!asked.type.startsWith('email_change')) await recordAudit(auth, tx, { actor: user, action: 'user_recovery_requested' })
  return user
}

function changesFor(auth: Auth, { type, newEmail }: Asked, hash: string): UserChanges {
  const at = auth.now()
  const kind = kinds[type]
  if (kind === 'confirmation_token') return { confirmation_token: hash, confirmation_sent_at: at, ...(type === 'invite' ? { invited_at: at } : {}) }
  if (kind === 'recovery_token') return { recovery_token: hash, recovery_sent_at: at }
  return { [kind]: hash, email_change: newEmail, email_change_sent_at: at, email_change_confirm_status: 0 }
}

async function generate(auth: Auth, tx: Transaction, asked: Asked): Promise<{ user: User; hash: string }> {
  const owner = await findOwner(auth, tx, asked)
  const address = asked.type === 'email_change_new' ? asked.newEmail : asked.email
  const hash = tokenHash(address, asked.code)
  await storeToken(auth, tx, { user: owner, kind: kinds[asked.type], hash, address, changes: changesFor(auth, asked, hash) })
  return { hash, user: await reloadUser(tx, owner.id) }
}

async function readAsked(auth: Auth, call: Call, { given, actor }: { given: z.output<typeof generateLinkBody>; actor: Actor }): Promise<Asked> {
  const email = readEmail(given.email)
  const named = linkTypes.find((one) => one === given.type)
  if (!named) throw invalidRequest(`Invalid email action link type requested: ${given.type}`)
  if (named === 'email_change_current' && !auth.settings.email.doubleConfirmChanges) {
    throw invalidRequest('Enable secure email change to generate link for current email')
  }
  const isKnown = (await auth.transact((tx) => findUserByEmail(tx, email), { readOnly: true })) !== undefined
  const type = named === 'magiclink' && !isKnown ? 'signup' : named
  if (named === 'signup' && !isKnown) {
    if (given.password === '') throw invalidRequest('Signup requires a valid password')
    await requireGoodPassword(auth, given.password)
  }
  const password = named === 'signup' ? given.password : auth.random.word(40)
  return {
    type,
    email,
    newEmail: named.startsWith('email_change') ? readEmail(given.new_email) : '',
    data: given.data ?? {},
    encryptedPassword: type === 'signup' && !isKnown ? await auth.passwords.hash(password) : '',
    redirectTo: auth.redirects.choose(call.request, auth.redirects.isAllowed(given.redirect_to) ? given.redirect_to : undefined),
    actor,
    code: auth.random.code(auth.settings.email.otpLength),
  }
}

/**
 * `POST /admin/generate_link`: makes a link for a person without mailing it. The link never waits for a `code`.
 *
 * @throws `user_not_found` (404), `email_exists` (422), `validation_failed` (400).
 * @see supabase/auth internal/api/mail.go, `adminGenerateLink`
 */
export async function generateLink(auth: Auth, call: Call): Promise<Response> {
  const actor = await requireAdmin(auth, call)
  const asked = await readAsked(auth, call, { given: await readBody(call, generateLinkBody), actor })
  const { user, hash } = await auth.transact((tx) => generate(auth, tx, asked))
  const type = asked.type.startsWith('email_change') ? 'email_change' : asked.type
  return reply(call, {
    ...userBody(user),
    action_link: confirmationUrl(auth, { tokenHash: hash, type, redirectTo: asked.redirectTo }),
    email_otp: asked.code,
    hashed_token: hash,
    verification_type: asked.type,
    redirect_to: asked.redirectTo,
  })
}
