import type { Client } from '#api/client.ts'
import { toAppError } from '#api/unwrap.ts'
import type { PendingEntries, Way } from '#session/pending-entry.ts'
import { secondsInMessage, type SendLocks, type SentKind } from '#session/send-lock.ts'
import type { CaptchaOption } from './use-captcha.ts'

/** The server counts sign-in and recovery mails together, whichever was asked for. */
export const sentKindOf = (way: Way): SentKind => (way === 'signup' ? 'confirmation' : way === 'email_change' ? 'email-change' : 'sign-in')

export interface MailParts {
  client: Client
  locks: SendLocks
  pending: PendingEntries
  captcha: () => Promise<CaptchaOption>
}

export interface MailRequest {
  way: Exclude<Way, 'provider' | 'link' | 'email_change'>
  email: string
  to: string
}

/** Where links in mails lead. The project's list of allowed addresses must name it. */
export const callbackAddress = () => `${location.origin}/callback`

/**
 * Runs a call that mails somebody, with the address locked from before it is sent.
 * The server itself is too late: what it refuses for coming too early has already broken the mail before.
 *
 * @throws AppError when no mail went out.
 */
export async function sendLocked({ locks, pending, captcha }: MailParts, request: MailRequest, call: (captcha: CaptchaOption) => Promise<{ error: unknown }>): Promise<void> {
  const kind = sentKindOf(request.way)
  const solved = await captcha()
  locks.lock(kind, request.email)
  const { error } = await call(solved)
  if (!error) {
    pending.remember(request)
    return
  }
  const failure = toAppError(error)
  if (failure.status === 429) locks.lock(kind, request.email, secondsInMessage(failure.message))
  else locks.unlock(kind, request.email)
  throw failure
}

/** Asks for a mail of one kind, the first time or again. */
export function sendMail(parts: MailParts, request: MailRequest): Promise<void> {
  const { auth } = parts.client
  const { email } = request
  const redirect = { emailRedirectTo: callbackAddress() }
  return sendLocked(parts, request, (captcha) => {
    switch (request.way) {
      case 'signup':
        return auth.resend({ type: 'signup', email, options: { ...redirect, ...captcha } })
      case 'recovery':
        return auth.resetPasswordForEmail(email, { redirectTo: redirect.emailRedirectTo, ...captcha })
      case 'email':
        return auth.signInWithOtp({ email, options: { ...redirect, ...captcha, shouldCreateUser: false } })
    }
  })
}
