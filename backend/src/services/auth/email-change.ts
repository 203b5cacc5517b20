import type { Transaction } from '#database/database.ts'

import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { confirmEmail } from './confirm.ts'
import { authError } from './errors.ts'
import type { MailTokens } from './hooks/send-email.ts'
import { insertIdentity, mergeIdentityData } from './identities.queries.ts'
import { bindFlow, linkVariables, newToken, requireAuthorizedAddress, requireInterval, sendNotice, type DueLetter, type WayBack } from './letters.ts'
import { ownIdentityData, reloadUser } from './new-user.ts'
import { deleteOneTimeToken, deleteOneTimeTokens, replaceOneTimeToken, type OneTimeTokenKind } from './one-time-tokens.queries.ts'
import { isConfirmed, type User } from './user.ts'
import { findUserUsingEmail, updateUser } from './users.queries.ts'

interface AddressToken {
  kind: OneTimeTokenKind
  address: string
  code: string
  hash: string
}

/** Takes a pending change back whose mails could not be sent. */
async function withdrawChange(auth: Auth, tx: Transaction, userId: string): Promise<void> {
  await updateUser(tx, userId, { email_change_sent_at: null, email_change_token_new: '', email_change_token_current: '', at: auth.now() })
  await deleteOneTimeToken(tx, userId, 'email_change_token_new')
  await deleteOneTimeToken(tx, userId, 'email_change_token_current')
}

// The hosted backend hands both codes to its hook at once, and each code with the other address' hash: what reads it counts on that.
function hookTokens([forNew, forCurrent]: readonly AddressToken[]): MailTokens {
  return {
    token: forCurrent?.code ?? forNew?.code ?? '',
    token_hash: forNew?.hash ?? '',
    token_new: forCurrent ? (forNew?.code ?? '') : '',
    token_hash_new: forCurrent?.hash ?? '',
  }
}

/**
 * Asks the new address, and the current one when the project wants both, to confirm a change.
 *
 * @throws `over_email_send_rate_limit` (429) within the interval since the last one.
 * @see supabase/auth internal/api/mail.go, `sendEmailChange`
 */
export async function prepareEmailChange(auth: Auth, tx: Transaction, asked: WayBack & { user: User; newEmail: string }): Promise<DueLetter[]> {
  const { user, newEmail, challenge, redirectTo } = asked
  requireInterval(auth, user.emailChangeSentAt)
  requireAuthorizedAddress(auth, newEmail)
  auth.limits.spendMail()
  const tokens: AddressToken[] = [{ kind: 'email_change_token_new', address: newEmail, ...newToken(auth, newEmail, challenge) }]
  if (auth.settings.email.doubleConfirmChanges && user.email !== '') {
    tokens.push({ kind: 'email_change_token_current', address: user.email, ...newToken(auth, user.email, challenge) })
  }
  await updateUser(tx, user.id, {
    email_change: newEmail,
    email_change_token_new: '',
    email_change_token_current: '',
    ...Object.fromEntries(tokens.map(({ kind, hash }) => [kind, hash])),
    email_change_sent_at: auth.now(),
    email_change_confirm_status: 0,
    at: auth.now(),
  })
  for (const { kind, address, hash } of tokens) {
    await replaceOneTimeToken(tx, { id: auth.random.uuid(), userId: user.id, kind, hash, relatesTo: address })
    await bindFlow(auth, tx, { hash, type: 'email_change', userId: user.id, challenge })
  }
  const due = tokens.map(({ address, ...token }) => ({
    userId: user.id,
    letter: {
      kind: 'email_change' as const,
      to: address,
      variables: { ...linkVariables(auth, user, { ...token, type: 'email_change', redirectTo }), NewEmail: newEmail, SendingTo: address },
    },
    withdraw: (later: Transaction) => withdrawChange(auth, later, user.id),
  }))
  return auth.settings.hooks.sendEmail ? due.slice(0, 1).map((one) => ({ ...one, tokens: hookTokens(tokens) })) : due
}

/** Notes one of two confirmations. */
async function acceptFirst(auth: Auth, tx: Transaction, { user, kind }: { user: User; kind: OneTimeTokenKind }): Promise<void> {
  await updateUser(tx, user.id, { email_change_confirm_status: 1, [kind]: '', at: auth.now() })
  await deleteOneTimeToken(tx, user.id, kind)
}

/** Makes the awaited address the person's own. */
export async function completeEmailChange(auth: Auth, tx: Transaction, user: User): Promise<User> {
  const at = auth.now()
  const newEmail = user.emailChange
  if (newEmail === '') throw authError('otp_expired')
  // Somebody may have taken the address since it was asked for.
  if (await findUserUsingEmail(tx, newEmail, user.id)) throw authError('email_exists')
  await recordAudit(auth, tx, { actor: user, action: 'user_modified' })
  const own = user.identities.find((identity) => identity.provider === 'email')
  const facts = ownIdentityData(user.id, { email: newEmail, emailVerified: true })
  if (own) await mergeIdentityData(tx, own.id, { email: newEmail, email_verified: true })
  else await insertIdentity(tx, { userId: user.id, provider: 'email', data: facts, at })
  await updateUser(tx, user.id, {
    email: newEmail,
    email_change: '',
    email_change_token_current: '',
    email_change_token_new: '',
    email_change_confirm_status: 0,
    is_anonymous: false,
    at,
  })
  await deleteOneTimeTokens(tx, user.id)
  const changed = await reloadUser(tx, user.id)
  sendNotice(auth, { kind: 'email_changed', to: user.email, variables: { SiteURL: auth.settings.siteUrl, Email: newEmail, OldEmail: user.email, Data: user.userMetadata } }, tx)
  return isConfirmed(changed) ? changed : confirmEmail(auth, tx, changed)
}

/**
 * Acts on a confirmation of a change. Undefined: the other address must confirm as well.
 *
 * @see supabase/auth internal/api/verify.go, `emailChangeVerify`
 */
export async function confirmEmailChange(auth: Auth, tx: Transaction, confirmed: { user: User; kind: OneTimeTokenKind }): Promise<User | undefined> {
  const { user } = confirmed
  const isFirst = auth.settings.email.doubleConfirmChanges && user.emailChangeConfirmStatus === 0 && user.email !== ''
  if (!isFirst) return completeEmailChange(auth, tx, user)
  await acceptFirst(auth, tx, confirmed)
  return undefined
}
