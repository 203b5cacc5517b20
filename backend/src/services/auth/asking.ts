import type { Auth } from './auth.ts'

/** Whom a mail or a text is asked for: an address, or a number. */
export type Asked = { email: string } | { phone: string }

/** Begins the interval anew: whoever holds a mailbox or a phone may ask it for more at once. */
export function forgetAsking(auth: Auth, asked: Asked): void {
  if ('email' in asked) auth.limits.forgetAsking('mail', asked.email)
  else auth.limits.forgetTexting('text', asked.phone)
}

/**
 * Does what sends a mail or a text, once an interval for each address: sign-up, sign-in link, recovery and the same again share it, for
 * known and unknown ones alike. Rows remember it too, but only of people who are there; who is there must not be told by a 429.
 *
 * @throws `over_email_send_rate_limit`, `over_sms_send_rate_limit` (429).
 */
export async function askedOnce<T>(auth: Auth, asked: Asked, work: () => Promise<T>): Promise<T> {
  if ('email' in asked) auth.limits.rememberAsking('mail', asked.email)
  else auth.limits.rememberTexting('text', asked.phone)
  try {
    return await work()
  } catch (error) {
    // Nothing was sent: nobody waits for it.
    forgetAsking(auth, asked)
    throw error
  }
}
