import type { TextChannel } from '#contract/text-sender.ts'

import { askedOnce } from './asking.ts'
import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { reply, type Call } from './call.ts'
import { authError } from './errors.ts'
import { signUpOnce } from './sign-up.ts'
import { prepareText, sendText, sendTextBy, type DueText } from './texts.ts'
import { isPhoneConfirmed, type User } from './user.ts'
import { findUserAwaitingPhone, findUserByPhone, lockUser } from './users.queries.ts'

const idBody = (id: string | undefined): Record<string, string> => (id === undefined || id === '' ? {} : { message_id: id })

const findByPhone = (auth: Auth, phone: string): Promise<User | undefined> => auth.transact((tx) => findUserByPhone(tx, phone), { readOnly: true })

function prepareSignIn(auth: Auth, { user, phone, channel }: { user: User; phone: string; channel: TextChannel }): Promise<DueText> {
  return auth.transact(async (tx) => {
    const fresh = (await lockUser(tx, user.id)) ?? user
    await recordAudit(auth, tx, { actor: fresh, action: 'user_recovery_requested', traits: { channel } })
    return prepareText(auth, tx, { user: fresh, phone, kind: 'confirmation', channel })
  })
}

interface TextRequest {
  phone: string
  channel: TextChannel
  data: Readonly<Record<string, unknown>>
}

// Who is new or never confirmed signs up without a password; the code is their confirmation.
async function signUpByText(auth: Auth, call: Call, { phone, channel, data }: TextRequest): Promise<DueText> {
  if (!auth.settings.enableSignup) throw authError('signup_disabled')
  const done = await signUpOnce(auth, {
    call,
    signUp: { provider: 'phone', email: '', phone, channel, encryptedPassword: '', data, challenge: undefined, redirectTo: '' },
  })
  if (done.kind === 'waiting' && done.text) return done.text
  const user = done.kind === 'in' ? done.grant.user : done.user
  return prepareSignIn(auth, { user, phone, channel })
}

/**
 * `POST /otp` by phone: texts a code to sign in with. A new and a known number are answered alike.
 *
 * @throws `phone_provider_disabled` (400), `otp_disabled`, `signup_disabled`, `sms_send_failed` (422), `over_sms_send_rate_limit` (429).
 * @see supabase/auth internal/api/otp.go, `SmsOtp`
 */
export async function requestTextOtp(auth: Auth, call: Call, asked: TextRequest & { createsUser: boolean }): Promise<Response> {
  const user = await findByPhone(auth, asked.phone)
  if (!asked.createsUser && !user) throw authError('otp_disabled')
  return askedOnce(auth, { phone: asked.phone }, async () => {
    const due = user && isPhoneConfirmed(user) ? await prepareSignIn(auth, { user, ...asked }) : await signUpByText(auth, call, asked)
    return reply(call, idBody(await sendText(auth, due)))
  })
}

/** A code that is still open for a person; undefined when there is nothing to send again. */
async function prepareAgain(auth: Auth, type: 'sms' | 'phone_change', phone: string): Promise<DueText | undefined> {
  return auth.transact(async (tx) => {
    const found = (await findUserByPhone(tx, phone)) ?? (type === 'phone_change' ? await findUserAwaitingPhone(tx, phone) : undefined)
    const user = found ? await lockUser(tx, found.id) : undefined
    if (!user) return undefined
    if (type === 'phone_change') {
      return user.phoneChange === '' ? undefined : prepareText(auth, tx, { user, phone: user.phoneChange, kind: 'phone_change', channel: 'sms' })
    }
    if (isPhoneConfirmed(user)) return undefined
    await recordAudit(auth, tx, { actor: user, action: 'user_recovery_requested' })
    return prepareText(auth, tx, { user, phone, kind: 'confirmation', channel: 'sms' })
  })
}

/**
 * `POST /resend` of the types `sms` and `phone_change`: texts a fresh code. Nothing to send and an unknown number are answered alike.
 * A change may be named by the number the person has or by the one they wait for.
 *
 * @see supabase/auth internal/api/resend.go
 */
export async function resendText(auth: Auth, call: Call, asked: { type: 'sms' | 'phone_change'; phone: string; leaves: Promise<void> | undefined }): Promise<Response> {
  const send = async (): Promise<Response> => {
    const due = await prepareAgain(auth, asked.type, asked.phone)
    return reply(call, idBody(due && (await sendTextBy(auth, due, asked.leaves))))
  }
  // A pending change is seldom and soon over; what the hosted backend answers for it is kept.
  return asked.type === 'sms' ? askedOnce(auth, { phone: asked.phone }, send) : send()
}
