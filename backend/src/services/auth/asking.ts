import type { Transaction } from '#database/database.ts'

import type { Auth } from './auth.ts'
import { askedTooSoon } from './errors.ts'
import { giveTurnBack, takeTurn } from './shared-limits.ts'

/** Whom a mail or a text is asked for: an address, or a number. */
export type Asked = { email: string } | { phone: string }

const turnOf = (asked: Asked, what?: string) =>
  'email' in asked ? { what: `mail ${what ?? ''}`, whom: asked.email } : { what: `text ${what ?? ''}`, whom: asked.phone }

/**
 * Begins the interval of an address, for those that have no row to remember it: what is unknown or already confirmed must not be
 * told by the missing 429.
 *
 * @param what a kind of request with an interval of its own; left out, the one the others share.
 * @throws `over_email_send_rate_limit`, `over_sms_send_rate_limit` (429) within it.
 */
export async function rememberAsking(auth: Auth, asked: Asked, what?: string): Promise<void> {
  const isMail = 'email' in asked
  const seconds = isMail ? auth.settings.email.maxFrequencySeconds : auth.settings.sms.maxFrequencySeconds
  const waitMs = await takeTurn(auth, { ...turnOf(asked, what), seconds })
  if (waitMs > 0) throw askedTooSoon(Math.floor(waitMs / 1000), isMail ? 'over_email_send_rate_limit' : 'over_sms_send_rate_limit')
}

/** Begins the interval anew with the transaction: whoever holds a mailbox or a phone may ask it for more at once. */
export const forgetAskingIn = (tx: Transaction, asked: Asked): Promise<unknown> => giveTurnBack(tx, turnOf(asked))

/** As `forgetAskingIn`, in a transaction of its own. Never fails: it follows another failure. */
export const forgetAsking = (auth: Auth, asked: Asked): Promise<unknown> =>
  auth.transact((tx) => forgetAskingIn(tx, asked)).catch((error: unknown) => auth.logger.error('an interval could not be taken back', { error }))

/**
 * Does what sends a mail or a text, once an interval for each address: sign-up, sign-in link, recovery and the same again share it, for
 * known and unknown ones alike. Rows remember it too, but only of people who are there; who is there must not be told by a 429.
 *
 * @throws `over_email_send_rate_limit`, `over_sms_send_rate_limit` (429).
 */
export async function askedOnce<T>(auth: Auth, asked: Asked, work: () => Promise<T>): Promise<T> {
  await rememberAsking(auth, asked)
  try {
    return await work()
  } catch (error) {
    // Nothing was sent: nobody waits for it.
    await forgetAsking(auth, asked)
    throw error
  }
}
