import { askedOnce, rememberAsking } from './asking.ts'
import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { readBody, reply, type Call } from './call.ts'
import { prepareEmailChange } from './email-change.ts'
import { readEmail, readPhone } from './email-address.ts'
import { authError, invalidRequest } from './errors.ts'
import { inEvenTime } from './even-time.ts'
import { prepareLink, sendDue, type DueLetter, type WayBack } from './letters.ts'
import { readChallenge, type PkceChallenge } from './pkce.ts'
import { signUpOnce } from './sign-up.ts'
import { requestTextOtp, resendText } from './text-requests.ts'
import { readChannel } from './texts.ts'
import { isConfirmed, type User } from './user.ts'
import { findUserByEmail, lockUser } from './users.queries.ts'
import { otpBody, recoverBody, resendBody } from './wire.ts'

const findByEmail = (auth: Auth, email: string): Promise<User | undefined> =>
  auth.transact((tx) => findUserByEmail(tx, email), { readOnly: true })

/** Writes a recovery or sign-in link to a person who is confirmed already. */
function prepareRecovery(auth: Auth, asked: WayBack & { user: User; type: 'magiclink' | 'recovery' }): Promise<DueLetter> {
  return auth.transact(async (tx) => {
    const user = (await lockUser(tx, asked.user.id)) ?? asked.user
    await recordAudit(auth, tx, { actor: user, action: 'user_recovery_requested' })
    return prepareLink(auth, tx, { ...asked, user })
  })
}

type LinkRequest = { email: string; data: Readonly<Record<string, unknown>>; way: WayBack }

// Who is new or never confirmed signs up without a password; the confirmation is their first link.
async function signUpByLink(auth: Auth, call: Call, { email, data, way }: LinkRequest): Promise<readonly DueLetter[]> {
  if (!auth.settings.enableSignup) throw authError('signup_disabled')
  if (!auth.settings.email.enableSignup) throw authError('email_provider_disabled', { message: 'Email signups are disabled' })
  const done = await signUpOnce(auth, { call, signUp: { provider: 'email', email, phone: '', encryptedPassword: '', data, ...way } })
  if (done.kind === 'waiting') return done.due
  const user = done.kind === 'in' ? done.grant.user : done.user
  return [await prepareRecovery(auth, { user, type: 'magiclink', ...way })]
}

function sendSignInLink(auth: Auth, call: Call, { asked, leaves }: { asked: LinkRequest; leaves: Promise<void> | undefined }): Promise<Response> {
  return askedOnce(auth, { email: asked.email }, async () => {
    const user = await findByEmail(auth, asked.email)
    const due =
      user && isConfirmed(user) ? [await prepareRecovery(auth, { user, type: 'magiclink', ...asked.way })] : await signUpByLink(auth, call, asked)
    await sendDue(auth, due, leaves)
    return reply(call, {})
  })
}

function requireMagicLink(auth: Auth): void {
  const { enabled, enableMagicLink } = auth.settings.email
  if (!enabled) throw authError('email_provider_disabled', { status: 422, message: 'Email logins are disabled' })
  if (!enableMagicLink) throw authError('email_provider_disabled', { status: 422, message: 'Login with magic link is disabled' })
}

/**
 * `POST /otp`: mails a link and a code to sign in with; a new person is added unless `create_user` is false.
 *
 * @throws `otp_disabled` (422) for a new person who may not be added; `over_email_send_rate_limit` (429).
 * @see supabase/auth internal/api/otp.go, magic_link.go
 */
export const requestOtp = (auth: Auth, call: Call): Promise<Response> =>
  inEvenTime(auth.settings.evenAnswerMs, async (leaves) => {
    const given = await readBody(call, otpBody)
    if (given.email !== '' && given.phone !== '') throw invalidRequest('Only an email address or phone number should be provided')
    if (given.email !== '' && given.channel !== '') throw invalidRequest('Channel should only be specified with Phone OTP')
    const challenge = readChallenge(given.code_challenge, given.code_challenge_method)
    if (given.phone !== '') {
      const phone = readPhone(given.phone)
      if (!auth.settings.sms.enabled) throw authError('phone_provider_disabled', { message: 'Unsupported phone provider' })
      return requestTextOtp(auth, call, { phone, channel: readChannel(auth, given.channel), data: given.data ?? {}, createsUser: given.create_user })
    }
    if (given.email === '') throw invalidRequest('One of email or phone must be set')
    requireMagicLink(auth)
    const email = readEmail(given.email)
    if (!given.create_user && !(await findByEmail(auth, email))) throw authError('otp_disabled')
    const way = { redirectTo: auth.redirects.choose(call.request), challenge }
    return sendSignInLink(auth, call, { asked: { email, data: given.data ?? {}, way }, leaves })
  })

/** `POST /magiclink`: as `/otp`, by e-mail only. */
export const requestMagicLink = (auth: Auth, call: Call): Promise<Response> =>
  inEvenTime(auth.settings.evenAnswerMs, async (leaves) => {
    requireMagicLink(auth)
    const given = await readBody(call, otpBody)
    if (given.email === '') throw authError('validation_failed', { status: 422, message: 'Password recovery requires an email' })
    const email = readEmail(given.email)
    const way = { redirectTo: auth.redirects.choose(call.request), challenge: readChallenge(given.code_challenge, given.code_challenge_method) }
    return sendSignInLink(auth, call, { asked: { email, data: given.data ?? {}, way }, leaves })
  })

/**
 * `POST /recover`: mails a link and a code to choose a new password. An unknown address is answered alike: the same
 * words, as slowly, and with the same 429 within the interval.
 *
 * @see supabase/auth internal/api/recover.go
 */
export const requestRecovery = (auth: Auth, call: Call): Promise<Response> =>
  inEvenTime(auth.settings.evenAnswerMs, async (leaves) => {
    if (!auth.settings.email.enabled) throw authError('email_provider_disabled')
    const given = await readBody(call, recoverBody)
    if (given.email === '') throw invalidRequest('Password recovery requires an email')
    const email = readEmail(given.email)
    const challenge = readChallenge(given.code_challenge, given.code_challenge_method)
    return askedOnce(auth, { email }, async () => {
      const user = await findByEmail(auth, email)
      const redirectTo = auth.redirects.choose(call.request)
      if (user) await sendDue(auth, [await prepareRecovery(auth, { user, type: 'recovery', redirectTo, challenge })], leaves)
      return reply(call, {})
    })
  })

const resendTypes = new Set(['signup', 'email_change', 'sms', 'phone_change'])

/** A letter that is still open for a person; undefined when there is nothing to send again. */
function prepareAgain(auth: Auth, type: string, { user, way }: { user: User; way: WayBack }): Promise<DueLetter[]> {
  return auth.transact(async (tx) => {
    const fresh = (await lockUser(tx, user.id)) ?? user
    if (type === 'signup') {
      await recordAudit(auth, tx, { actor: fresh, action: 'user_confirmation_requested' })
      return [await prepareLink(auth, tx, { user: fresh, type: 'signup', ...way })]
    }
    return prepareEmailChange(auth, tx, { user: fresh, newEmail: fresh.emailChange, ...way })
  })
}

const isStillOpen = (user: User, type: string): boolean => (type === 'signup' ? !isConfirmed(user) : type === 'email_change' && user.emailChange !== '')

interface MailAgain {
  type: string
  email: string
  challenge: PkceChallenge | undefined
  leaves: Promise<void> | undefined
}

async function resendMail(auth: Auth, call: Call, { type, email, challenge, leaves }: MailAgain): Promise<Response> {
  const user = await findByEmail(auth, email)
  if (user && isStillOpen(user, type)) {
    const way = { redirectTo: auth.redirects.choose(call.request), challenge }
    await sendDue(auth, await prepareAgain(auth, type, { user, way }), leaves)
  } else if (type === 'email_change') await rememberAsking(auth, { email }, type)
  return reply(call, {})
}

/**
 * `POST /resend`: sends a confirmation again. Nothing to send and an unknown address are answered alike.
 *
 * @see supabase/auth internal/api/resend.go
 */
export const resend = (auth: Auth, call: Call): Promise<Response> =>
  inEvenTime(auth.settings.evenAnswerMs, async (leaves) => {
    const given = await readBody(call, resendBody)
    const challenge = readChallenge(given.code_challenge, given.code_challenge_method)
    if (!resendTypes.has(given.type)) throw invalidRequest('Missing one of these types: signup, email_change, sms, phone_change')
    if (given.email === '' && given.type === 'signup') throw invalidRequest('Type provided requires an email address')
    if (given.phone === '' && given.type === 'sms') throw invalidRequest('Type provided requires a phone number')
    if (given.email !== '' && given.phone !== '') throw invalidRequest('Only an email address or phone number should be provided.')
    if (given.phone !== '') {
      if (!auth.settings.sms.enabled) throw authError('phone_provider_disabled')
      const phone = readPhone(given.phone)
      // A change of address is never named by a number.
      if (given.type !== 'sms' && given.type !== 'phone_change') return reply(call, {})
      return resendText(auth, call, { type: given.type, phone, leaves })
    }
    if (given.email === '') throw invalidRequest('Missing email address or phone number')
    if (!auth.settings.email.enabled) throw authError('email_provider_disabled')
    const email = readEmail(given.email)
    // A change of address has an interval of its own, which only its own kind of request shares.
    if (given.type !== 'signup') return resendMail(auth, call, { type: given.type, email, challenge, leaves })
    return askedOnce(auth, { email }, () => resendMail(auth, call, { type: given.type, email, challenge, leaves }))
  })
