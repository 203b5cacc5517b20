import type { Transaction } from '#database/database.ts'

import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { newToken, requireAuthorizedAddress, requireInterval, storeToken, type DueLetter } from './letters.ts'
import { deleteOneTimeToken } from './one-time-tokens.queries.ts'
import { prepareText, type DueText } from './texts.ts'
import type { User } from './user.ts'
import { lockUser, updateUser } from './users.queries.ts'

/**
 * Writes a code to a signed-in person that proves they still hold their mailbox.
 *
 * @throws `over_email_send_rate_limit` (429) within the interval since the last one.
 */
export async function prepareReauthentication(auth: Auth, tx: Transaction, signedIn: User): Promise<DueLetter> {
  const user = (await lockUser(tx, signedIn.id)) ?? signedIn
  await recordAudit(auth, tx, { actor: user, action: 'user_reauthenticate_requested' })
  requireInterval(auth, user.reauthenticationSentAt)
  requireAuthorizedAddress(auth, user.email)
  auth.limits.spendMail()
  const { code, hash } = newToken(auth, user.email, undefined)
  const changes = { reauthentication_token: hash, reauthentication_sent_at: auth.now() }
  await storeToken(auth, tx, { user, kind: 'reauthentication_token', hash, address: user.email, changes })
  return {
    userId: user.id,
    tokens: { token: code, token_hash: hash, token_new: '', token_hash_new: '' },
    letter: {
      kind: 'reauthentication',
      to: user.email,
      variables: { SiteURL: auth.settings.siteUrl, Token: code, Email: user.email, Data: user.userMetadata },
    },
    withdraw: async (later) => {
      await updateUser(later, user.id, { reauthentication_token: '', reauthentication_sent_at: null, at: auth.now() })
      await deleteOneTimeToken(later, user.id, 'reauthentication_token')
    },
  }
}

/** As `prepareReauthentication`, to the phone of a person without a mailbox. @throws `over_sms_send_rate_limit` (429). */
export async function prepareTextedReauthentication(auth: Auth, tx: Transaction, signedIn: User): Promise<DueText> {
  const user = (await lockUser(tx, signedIn.id)) ?? signedIn
  await recordAudit(auth, tx, { actor: user, action: 'user_reauthenticate_requested' })
  return prepareText(auth, tx, { user, phone: user.phone, kind: 'reauthentication', channel: 'sms' })
}
