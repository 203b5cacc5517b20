import { ServiceError } from '#contract/service-error.ts'
import type { TextChannel } from '#contract/text-sender.ts'
import type { Transaction } from '#database/database.ts'

import { forgetAsking } from './asking.ts'
import type { Auth } from './auth.ts'
import { tokenHash } from './codes.ts'
import { askedTooSoon, authError, invalidRequest } from './errors.ts'
import { sendSmsByHook } from './hooks/send-sms.ts'
import { momentMs } from './moments.ts'
import { deleteOneTimeToken, replaceOneTimeToken } from './one-time-tokens.queries.ts'
import { isBanned, type User } from './user.ts'
import { updateUser } from './users.queries.ts'

/** What a texted code is for. */
export type TextKind = 'confirmation' | 'phone_change' | 'reauthentication'

const columns = {
  confirmation: { kind: 'confirmation_token', sentAt: 'confirmationSentAt', token: 'confirmation_token', moment: 'confirmation_sent_at' },
  phone_change: { kind: 'phone_change_token', sentAt: 'phoneChangeSentAt', token: 'phone_change_token', moment: 'phone_change_sent_at' },
  reauthentication: { kind: 'reauthentication_token', sentAt: 'reauthenticationSentAt', token: 'reauthentication_token', moment: 'reauthentication_sent_at' },
} as const

/** A text that is due once the transaction that made it is kept, and how to take its code back when it cannot be sent. */
export interface DueText {
  kind: TextKind
  user: User
  phone: string
  channel: TextChannel
  code: string
  /** A number whose code is set down in the project's settings: nothing is sent. */
  isFixed: boolean
  withdraw(tx: Transaction): Promise<unknown>
}

/**
 * Reads how a text is to travel; nothing named is SMS.
 *
 * @throws `validation_failed` (400) for a way the project's provider does not know.
 */
export function readChannel(auth: Auth, given: string): TextChannel {
  if (given === '' || given === 'sms') return 'sms'
  // A hook is told of any code, whatever way it was to take.
  if (given === 'whatsapp' && auth.settings.hooks.sendSms) return 'whatsapp'
  if (given === 'whatsapp' && auth.texts.channels?.includes('whatsapp')) return 'whatsapp'
  throw invalidRequest("Invalid channel, supported values are 'sms' or 'whatsapp'. 'whatsapp' is only supported if Twilio or Twilio Verify is used as the provider.")
}

/** @throws `over_sms_send_rate_limit` (429) within the interval since `sentAt`. */
export function requireTextInterval(auth: Auth, sentAt: string | null, seconds = auth.settings.sms.maxFrequencySeconds): void {
  if (sentAt === null) return
  const leftMs = momentMs(sentAt) + seconds * 1000 - auth.now().getTime()
  if (leftMs > 0) throw askedTooSoon(Math.floor(leftMs / 1000), 'over_sms_send_rate_limit')
}

/** The fixed code of a number, if the project's settings hold one. */
export const fixedCode = (auth: Auth, phone: string): string | undefined =>
  Object.hasOwn(auth.settings.sms.testOtp, phone) ? auth.settings.sms.testOtp[phone] : undefined

/** Puts a code into the words of a template. */
export const textWith = (template: string, code: string): string => template.replaceAll(/\{\{-?\s*\.Code\s*-?\}\}/g, code)

/**
 * Makes a code for a number and stores it: an older one of its kind is void.
 *
 * @throws `over_sms_send_rate_limit` (429) within the interval since the last one, or past the project's texts of the hour.
 * @see supabase/auth internal/api/phone.go, `sendPhoneConfirmation`
 */
export async function prepareText(
  auth: Auth,
  tx: Transaction,
  asked: { user: User; phone: string; kind: TextKind; channel: TextChannel },
): Promise<DueText> {
  const { user, phone, kind, channel } = asked
  const { token, moment, sentAt, kind: tokenKind } = columns[kind]
  requireTextInterval(auth, user[sentAt])
  const fixed = fixedCode(auth, phone)
  if (fixed === undefined && auth.settings.sms.enableConfirmations) auth.limits.spendText()
  const code = fixed ?? auth.random.code(auth.settings.sms.otpLength)
  const hash = tokenHash(phone, code)
  const at = auth.now()
  await updateUser(tx, user.id, { [token]: hash, [moment]: at, ...(kind === 'phone_change' ? { phone_change: phone } : {}), at })
  await replaceOneTimeToken(tx, { id: auth.random.uuid(), userId: user.id, kind: tokenKind, hash, relatesTo: phone })
  return {
    kind,
    user,
    phone,
    channel,
    code,
    isFixed: fixed !== undefined,
    withdraw: async (later) => {
      await updateUser(later, user.id, { [token]: '', [moment]: null, at: auth.now() })
      await deleteOneTimeToken(later, user.id, tokenKind)
    },
  }
}

/**
 * Hands one code to the project's way of sending texts.
 *
 * @returns the message's id there.
 * @throws Error with the provider's words.
 */
export async function sendCode(auth: Auth, text: { user: User; phone: string; code: string; message: string; channel: TextChannel; type?: 'mfa' }): Promise<string> {
  const { user, phone: to, code, message, channel, type } = text
  const hook = auth.settings.hooks.sendSms
  if (hook) {
    await sendSmsByHook(auth, hook, { user, sms: { phone: to, code, ...(type ? { type } : {}) } })
    return ''
  }
  return (await auth.texts.send({ to, message, channel, code })).messageId ?? ''
}

/**
 * Sends a text whose transaction is kept. Its code is taken back when it cannot be sent, so that asking again is possible at once.
 *
 * @returns the message's id at the provider.
 * @throws `sms_send_failed` (422).
 */
export async function sendText(auth: Auth, due: DueText): Promise<string> {
  if (due.isFixed) return 'test-otp'
  const { user, phone, code, channel } = due
  try {
    return await sendCode(auth, { user, phone, code, channel, message: textWith(auth.settings.sms.template, code) })
  } catch (error) {
    await forgetAsking(auth, { phone: due.phone })
    auth.logger.error('text could not be sent', { kind: due.kind, error })
    await auth.transact(due.withdraw).catch((failure: unknown) => auth.logger.error('code of an unsent text could not be taken back', { error: failure }))
    // A hook's own words are for the person.
    if (error instanceof ServiceError) throw error
    const words = error instanceof Error ? error.message : String(error)
    throw authError('sms_send_failed', { message: `Error sending ${due.kind} OTP to provider: ${words}`, cause: error })
  }
}

/** As `sendText`, without waiting for a provider past `leaves`: a later failure is logged only. */
export async function sendTextBy(auth: Auth, due: DueText, leaves: Promise<void> | undefined): Promise<string | undefined> {
  const sending = sendText(auth, due)
  // Heard here as well: a failure after the answer has left must not end the process.
  sending.catch(() => undefined)
  return leaves ? Promise.race([sending, leaves.then(() => undefined)]) : sending
}

/** @throws `user_banned` (403). */
export function requireNotBanned(auth: Auth, user: User): void {
  if (isBanned(user, auth.now().getTime())) throw authError('user_banned')
}
