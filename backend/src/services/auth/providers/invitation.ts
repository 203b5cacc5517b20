import type { Transaction } from '#database/database.ts'

import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { confirmEmail } from '#services/auth/confirm.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import { isOlderThan } from '#services/auth/moments.ts'
import { findOneTimeToken } from '#services/auth/one-time-tokens.queries.ts'
import { isBanned, type User } from '#services/auth/user.ts'
import { lockUser } from '#services/auth/users.queries.ts'

import { addIdentity, clearUnconfirmed, type Arrival } from './accounts.ts'

async function requireInvited(auth: Auth, tx: Transaction, token: string): Promise<User> {
  const found = await findOneTimeToken(tx, token, ['confirmation_token'])
  const user = found ? await lockUser(tx, found.userId) : undefined
  const isOver = !user || (user.confirmationSentAt !== null && isOlderThan(user.confirmationSentAt, auth.settings.email.otpExpirySeconds, auth.now().getTime()))
  if (isOver) throw authError('invite_not_found')
  if (isBanned(user, auth.now().getTime())) throw authError('user_banned')
  return user
}

/**
 * Accepts an invitation as somebody of a provider whose address is the invited one. They hold the mail, so the address is confirmed.
 *
 * @throws `invite_not_found` (404), `validation_failed` (400) for somebody else's address.
 * @see supabase/auth internal/api/external.go, `processInvite`
 */
export async function acceptInvite(auth: Auth, tx: Transaction, arrival: Arrival & { inviteToken: string }): Promise<User> {
  const { provider, identity } = arrival
  const invited = await requireInvited(auth, tx, arrival.inviteToken)
  if (!identity.emails.some(({ email }) => email === invited.email.toLowerCase())) throw invalidRequest('Invited email does not match emails from external provider')
  const added = await addIdentity(auth, tx, { user: invited, provider, identity })
  await recordAudit(auth, tx, { actor: added.user, action: 'invite_accepted', traits: { provider } })
  return confirmEmail(auth, tx, await clearUnconfirmed(auth, tx, { ...added, identity }))
}
