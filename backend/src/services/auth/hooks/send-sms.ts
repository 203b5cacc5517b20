import type { Auth } from '#services/auth/auth.ts'
import { userBody, type User } from '#services/auth/user.ts'

import { runHook } from './hooks.ts'

/**
 * Hands a code to the project's hook, in place of texting it.
 *
 * @param sms `type` is `mfa` for a second factor, and left out else.
 * @see supabase/auth internal/api/phone.go, `sendPhoneConfirmation`
 */
export async function sendSmsByHook(auth: Auth, uri: string, { user, sms }: { user: User; sms: { phone: string; code: string; type?: 'mfa' } }): Promise<void> {
  const input = { user: userBody(user), sms: { otp: sms.code, ...(sms.type ? { sms_type: sms.type } : {}), phone: sms.phone } }
  await auth.transact((tx) => runHook(auth, tx, { uri, name: 'send-sms', input }))
}
