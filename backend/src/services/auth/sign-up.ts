import { DatabaseError } from '#database/database-error.ts'
import type { TextChannel } from '#contract/text-sender.ts'
import type { Transaction } from '#database/database.ts'
import type { z } from 'zod'

import { askedOnce } from './asking.ts'
import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { readBody, reply, type Call } from './call.ts'
import { confirmEmail, confirmPhone } from './confirm.ts'
import { readEmail, readPhone } from './email-address.ts'
import { authError, invalidRequest } from './errors.ts'
import { inEvenTime } from './even-time.ts'
import { deleteOtherIdentities } from './identities.queries.ts'
import { prepareLink, sendDue, type DueLetter } from './letters.ts'
import { addOwnIdentity, createUser, reloadUser, syncProviders } from './new-user.ts'
import { requireGoodPassword } from './password-rules.ts'
import { readChallenge, type PkceChallenge } from './pkce.ts'
import { beginSession, signIn, type Grant } from './sessions.ts'
import { prepareText, readChannel, sendTextBy, type DueText } from './texts.ts'
import { grantReply } from './token-grants.ts'
import { isConfirmed, isPhoneConfirmed, userBody, type User } from './user.ts'
import { findUserByPhone, findUserUsingEmail, lockUser, updateUser } from './users.queries.ts'
import { signUpBody } from './wire.ts'

/** A sign-up as it was read and found well-formed. */
export interface SignUp {
  provider: 'email' | 'phone'
  email: string
  phone: string
  /** How a text to `phone` travels; an e-mail sign-up has none. */
  channel?: TextChannel
  encryptedPassword: string
  data: Readonly<Record<string, unknown>>
  challenge: PkceChallenge | undefined
  redirectTo: string
}

type SignedUp = { kind: 'repeated'; user: User } | { kind: 'waiting'; user: User; due: DueLetter[]; text?: DueText } | { kind: 'in'; grant: Grant }

function readProvider(auth: Auth, email: string, phone: string): 'email' | 'phone' {
  const { email: mail, sms } = auth.settings
  if (email !== '') {
    if (!mail.enabled || !mail.enableSignup) throw authError('email_provider_disabled', { message: 'Email signups are disabled' })
    return 'email'
  }
  if (phone !== '') {
    if (!sms.enabled || !sms.enableSignup) throw authError('phone_provider_disabled', { message: 'Phone signups are disabled' })
    return 'phone'
  }
  throw invalidRequest(`Sign up only available with ${[mail.enabled && 'email', sms.enabled && 'phone'].filter(Boolean).join(' or ')} provider`)
}

const findExisting = (tx: Transaction, { provider, email, phone }: SignUp): Promise<User | undefined> =>
  provider === 'email' ? findUserUsingEmail(tx, email, null) : findUserByPhone(tx, phone)

const isAlreadyConfirmed = (user: User, provider: SignUp['provider']): boolean => (provider === 'email' ? isConfirmed(user) : isPhoneConfirmed(user))

/** Whether an address or number counts as confirmed from the start. */
const isAutomatic = (auth: Auth, provider: SignUp['provider']): boolean =>
  provider === 'email' ? !auth.settings.email.enableConfirmations : !auth.settings.sms.enableConfirmations

// As the hosted backend: the metadata of a person who is not confirmed yet is that of their identity.
async function addFirstIdentity(auth: Auth, tx: Transaction, { user, signUp }: { user: User; signUp: SignUp }): Promise<User> {
  if (user.identities.some((identity) => identity.provider === signUp.provider)) return user
  const withIdentity = await addOwnIdentity(auth, tx, { user, provider: signUp.provider, data: signUp.data })
  const own = withIdentity.identities.find((identity) => identity.provider === signUp.provider)
  // Nobody has shown yet that the account is theirs: other ways into it, which a stranger may have laid, go.
  if (own && !isConfirmed(user) && !isPhoneConfirmed(user)) await deleteOtherIdentities(tx, user.id, own.id)
  await updateUser(tx, user.id, { raw_user_meta_data: own?.identityData ?? user.userMetadata, at: auth.now() })
  await syncProviders(auth, tx, await reloadUser(tx, user.id))
  return reloadUser(tx, user.id)
}

/** Adds or finds the person of a sign-up, and does what the project wants before they may come in. */
export async function signUpPerson(auth: Auth, tx: Transaction, { signUp, call }: { signUp: SignUp; call: Call }): Promise<SignedUp> {
  const { provider } = signUp
  const found = await findExisting(tx, signUp)
  if (found && isAlreadyConfirmed(found, provider)) {
    await recordAudit(auth, tx, { actor: found, action: 'user_repeated_signup', traits: { provider } })
    return { kind: 'repeated', user: found }
  }
  const known = found ? ((await lockUser(tx, found.id)) ?? found) : await createUser(auth, tx, signUp)
  const user = await addFirstIdentity(auth, tx, { user: known, signUp })
  if (isAutomatic(auth, provider)) {
    await recordAudit(auth, tx, { actor: user, action: 'user_signedup', traits: { provider } })
    const confirmed = await (provider === 'email' ? confirmEmail : confirmPhone)(auth, tx, user)
    return { kind: 'in', grant: await signIn(auth, tx, { user: confirmed, method: 'password', call, traits: { provider } }) }
  }
  await recordAudit(auth, tx, { actor: user, action: 'user_confirmation_requested', traits: { provider } })
  if (provider === 'phone') {
    const text = await prepareText(auth, tx, { user, phone: signUp.phone, kind: 'confirmation', channel: signUp.channel ?? 'sms' })
    return { kind: 'waiting', user: await reloadUser(tx, user.id), due: [], text }
  }
  const due = [await prepareLink(auth, tx, { user, type: 'signup', redirectTo: signUp.redirectTo, challenge: signUp.challenge })]
  return { kind: 'waiting', user: await reloadUser(tx, user.id), due }
}

/** What a stranger is told about an address that has a confirmed owner: the same as about a new one. */
function obfuscatedBody(auth: Auth, signUp: SignUp): Record<string, unknown> {
  const at = auth.now().toISOString()
  return {
    id: auth.random.uuid(),
    aud: auth.settings.audience,
    role: '',
    email: signUp.email,
    phone: signUp.phone,
    confirmation_sent_at: at,
    app_metadata: { provider: signUp.provider, providers: [signUp.provider] },
    user_metadata: signUp.data,
    factors: [],
    identities: [],
    created_at: at,
    updated_at: at,
    is_anonymous: false,
  }
}

// Who was invited proves nothing by signing up: what the inviter wrote stays hidden.
const waitingBody = (user: User): Record<string, unknown> =>
  userBody(user.invitedAt === null ? user : { ...user, userMetadata: {}, identities: [] })

async function readSignUp(auth: Auth, call: Call, given: z.output<typeof signUpBody>): Promise<SignUp> {
  auth.limits.spend('signup', call.context.ip)
  if (given.password === '') throw invalidRequest('Signup requires a valid password')
  await requireGoodPassword(auth, given.password)
  if (given.email !== '' && given.phone !== '') throw invalidRequest('Only an email address or phone number should be provided on signup.')
  const challenge = readChallenge(given.code_challenge, given.code_challenge_method)
  if (given.phone !== '' && challenge) throw invalidRequest('PKCE not supported for phone signups')
  const provider = readProvider(auth, given.email, given.phone)
  return {
    provider,
    email: provider === 'email' ? readEmail(given.email) : '',
    ...(provider === 'phone' ? { phone: readPhone(given.phone), channel: readChannel(auth, given.channel) } : { phone: '' }),
    // Hashed for everybody: skipping it for known addresses would tell them by time.
    encryptedPassword: await auth.passwords.hash(given.password),
    data: given.data ?? {},
    challenge,
    redirectTo: auth.redirects.choose(call.request),
  }
}

/** Signs a person up; when another request has just added them, they are found the second time. */
export async function signUpOnce(auth: Auth, asked: { signUp: SignUp; call: Call }): Promise<SignedUp> {
  const attempt = () => auth.transact((tx) => signUpPerson(auth, tx, asked))
  try {
    return await attempt()
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined
    if (cause instanceof DatabaseError && ['users_email_partial_key', 'users_phone_key'].includes(cause.facts.constraint ?? '')) return attempt()
    throw error
  }
}

/**
 * `POST /signup`. A confirmed address is answered like a new one unless the project confirms without mail.
 *
 * @throws `signup_disabled`, `weak_password`, `user_already_exists`, `anonymous_provider_disabled` (422), `over_email_send_rate_limit` (429).
 * @see supabase/auth internal/api/signup.go
 */
export async function signUp(auth: Auth, call: Call): Promise<Response> {
  const given = await readBody(call, signUpBody)
  const isAnonymous = given.email === '' && given.phone === ''
  if (isAnonymous && !auth.settings.enableAnonymousSignIns) throw authError('anonymous_provider_disabled')
  if (!auth.settings.enableSignup) throw authError('signup_disabled')
  if (isAnonymous) return signUpAnonymously(auth, call, given.data ?? {})
  const asked = await readSignUp(auth, call, given)
  // Where an address is confirmed at once, a known one is told plainly: there is nothing to hide by time.
  if (isAutomatic(auth, asked.provider)) return answerSignUp(auth, call, { asked, leaves: undefined })
  const whom = asked.provider === 'phone' ? { phone: asked.phone } : { email: asked.email }
  return inEvenTime(auth.settings.evenAnswerMs, (leaves) => askedOnce(auth, whom, () => answerSignUp(auth, call, { asked, leaves })))
}

async function answerSignUp(auth: Auth, call: Call, { asked, leaves }: { asked: SignUp; leaves: Promise<void> | undefined }): Promise<Response> {
  const done = await signUpOnce(auth, { signUp: asked, call })
  if (done.kind === 'in') return grantReply(call, done.grant)
  if (done.kind === 'repeated') {
    if (isAutomatic(auth, asked.provider)) throw authError('user_already_exists')
    return reply(call, obfuscatedBody(auth, asked))
  }
  await sendDue(auth, done.due, leaves)
  if (done.text) await sendTextBy(auth, done.text, leaves)
  return reply(call, waitingBody(done.user))
}

/** Signs in somebody nobody knows. @throws `over_request_rate_limit` (429). */
async function signUpAnonymously(auth: Auth, call: Call, data: Readonly<Record<string, unknown>>): Promise<Response> {
  auth.limits.spend('anonymous', call.context.ip)
  const grant = await auth.transact(async (tx) => {
    const user = await createUser(auth, tx, { provider: 'anonymous', encryptedPassword: '', data })
    return beginSession(auth, tx, { user, method: 'anonymous', call })
  })
  return grantReply(call, grant)
}
