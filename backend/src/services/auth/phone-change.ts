import type { Transaction } from '#database/database.ts'

import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { authError } from './errors.ts'
import { insertIdentity, mergeIdentityData } from './identities.queries.ts'
import { sendNotice } from './letters.ts'
import { ownIdentityData, reloadUser } from './new-user.ts'
import { deleteOneTimeTokens } from './one-time-tokens.queries.ts'
import type { User } from './user.ts'
import { findUserByPhone, updateUser } from './users.queries.ts'

function tellOfChange(auth: Auth, tx: Transaction, { before, phone, isNew }: { before: User; phone: string; isNew: boolean }): void {
  const shared = { SiteURL: auth.settings.siteUrl, Email: before.email, Data: before.userMetadata }
  if (before.phone !== phone) sendNotice(auth, { kind: 'phone_changed', to: before.email, variables: { ...shared, Phone: phone, OldPhone: before.phone } }, tx)
  if (isNew) sendNotice(auth, { kind: 'identity_linked', to: before.email, variables: { ...shared, Provider: 'phone' } }, tx)
}

/**
 * Makes a number the person's own. Who was anonymous is not any more.
 *
 * @throws `phone_exists` (422) when somebody has taken the number since it was asked for.
 * @see supabase/auth internal/api/verify.go, `smsVerify`; models/user.go, `ConfirmPhoneChange`
 */
export async function completePhoneChange(auth: Auth, tx: Transaction, { user, phone }: { user: User; phone: string }): Promise<User> {
  const at = auth.now()
  const holder = await findUserByPhone(tx, phone)
  if (holder && holder.id !== user.id) throw authError('phone_exists')
  await recordAudit(auth, tx, { actor: user, action: 'user_modified' })
  const own = user.identities.find((identity) => identity.provider === 'phone')
  if (own) await mergeIdentityData(tx, own.id, { phone, phone_verified: true })
  else await insertIdentity(tx, { userId: user.id, provider: 'phone', data: ownIdentityData(user.id, { phone, phoneVerified: true }), at })
  await updateUser(tx, user.id, { phone, phone_change: '', phone_change_token: '', phone_confirmed_at: at, is_anonymous: false, at })
  await deleteOneTimeTokens(tx, user.id)
  tellOfChange(auth, tx, { before: user, phone, isNew: own === undefined })
  return reloadUser(tx, user.id)
}
