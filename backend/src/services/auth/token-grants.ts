import { readBody, reply, type Call } from './call.ts'
import type { Auth } from './auth.ts'
import { requireVerifier } from './pkce.ts'
import { readPhone } from './email-address.ts'
import { authError, invalidRequest } from './errors.ts'
import { deleteFlowState, lockFlowByCode, type FlowState } from './flow-states.queries.ts'
import { isOlderThan } from './moments.ts'
import { runHook } from './hooks/hooks.ts'
import { passwordWeakness } from './password-rules.ts'
import { refreshGrant } from './refresh-grant.ts'
import { deleteSessionsOf } from './sessions.queries.ts'
import { grantBody, grantHeaders, signIn, type Grant } from './sessions.ts'
import { isBanned, isConfirmed, isPhoneConfirmed, type User } from './user.ts'
import { findUserByEmail, findUserByPhone, findUserById } from './users.queries.ts'
import { passwordGrantBody, pkceGrantBody } from './wire.ts'

/** Answers one `grant_type` of `POST /token`. */
export type TokenGrant = (auth: Auth, call: Call) => Promise<Response>

export const grantReply = (call: Call, grant: Grant, extra?: Readonly<Record<string, unknown>>): Response =>
  reply(call, grantBody(grant, extra), { headers: grantHeaders(grant) })

type Credentials = { email: string; phone: string; password: string }

function findByCredentials(auth: Auth, { email, phone }: Credentials): Promise<User | undefined> {
  if (email !== '' && phone !== '') {
    throw invalidRequest('Only an email address or phone number should be provided on login.')
  }
  if (email !== '') {
    if (!auth.settings.email.enabled) throw authError('email_provider_disabled', { status: 422 })
    return auth.transact((tx) => findUserByEmail(tx, email), { readOnly: true })
  }
  if (phone === '') throw invalidRequest('missing email or phone')
  if (!auth.settings.sms.enabled) throw authError('phone_provider_disabled', { status: 422 })
  return auth.transact((tx) => findUserByPhone(tx, readPhone(phone)), { readOnly: true })
}

async function askPasswordHook(auth: Auth, call: Call, { user, isValid }: { user: User; isValid: boolean }): Promise<void> {
  const uri = auth.settings.hooks.passwordVerificationAttempt
  if (!uri) return
  const answer = await auth.transact((tx) => runHook(auth, tx, { uri, name: 'password-verification', input: { user_id: user.id, valid: isValid }, ip: call.context.ip }))
  if (answer.decision !== 'reject') return
  if (answer.should_logout_user === true) await auth.transact((tx) => deleteSessionsOf(tx, user.id))
  const message = typeof answer.message === 'string' && answer.message !== '' ? answer.message : 'Further password verification attempts will be rejected.'
  throw authError('invalid_credentials', { message })
}

/**
 * Signs in with a password. An unknown person, a person without a password and a wrong password are answered
 * alike, and as slowly.
 *
 * @throws `invalid_credentials`, `user_banned`, `email_not_confirmed`, `phone_not_confirmed` (400).
 */
const passwordGrant: TokenGrant = async (auth, call) => {
  const given = await readBody(call, passwordGrantBody)
  const user = await findByCredentials(auth, given)
  const isRight = await auth.passwords.matches(given.password, user?.encryptedPassword ?? null)
  if (!user) throw authError('invalid_credentials')
  if (isBanned(user, auth.now().getTime())) throw isRight ? authError('user_banned', { status: 400 }) : authError('invalid_credentials')
  await askPasswordHook(auth, call, { user, isValid: isRight })
  if (!isRight) throw authError('invalid_credentials')
  if (given.email !== '' && !isConfirmed(user)) throw authError('email_not_confirmed')
  if (given.phone !== '' && !isPhoneConfirmed(user)) throw authError('phone_not_confirmed')

  const provider = given.email === '' ? 'phone' : 'email'
  const grant = await auth.transact(async (tx) => {
    const begun = await signIn(auth, tx, { user, method: 'password', call, traits: { provider } })
    // The password was compared before the person's row was held: who changed it since has ended every session the old one opened.
    if (begun.user.encryptedPassword !== user.encryptedPassword) throw authError('invalid_credentials')
    return begun
  })
  const weakness = await passwordWeakness(auth, given.password)
  return grantReply(call, grant, weakness ? { weak_password: weakness } : {})
}

function requireLiveFlow(auth: Auth, flow: FlowState | undefined): FlowState & { userId: string; authCodeIssuedAt: string } {
  const { userId, authCodeIssuedAt } = flow ?? {}
  if (!flow || !userId || !authCodeIssuedAt) throw authError('flow_state_not_found')
  if (isOlderThan(authCodeIssuedAt, auth.settings.flowStateExpirySeconds, auth.now().getTime())) throw authError('flow_state_expired')
  return { ...flow, userId, authCodeIssuedAt }
}

/**
 * Trades a `?code=` for tokens, once. A wrong verifier leaves the code usable: it proves nothing but a mix-up.
 *
 * @throws `flow_state_not_found` (404), `flow_state_expired` (422), `bad_code_verifier` (400), `user_banned` (400).
 */
const pkceGrant: TokenGrant = async (auth, call) => {
  const given = await readBody(call, pkceGrantBody)
  if (given.auth_code === '' || given.code_verifier === '') {
    throw invalidRequest('invalid request: both auth code and code verifier should be non-empty')
  }
  const { grant, flow } = await auth.transact(async (tx) => {
    const flow = requireLiveFlow(auth, await lockFlowByCode(tx, given.auth_code))
    requireVerifier({ challenge: flow.codeChallenge, method: flow.codeChallengeMethod }, given.code_verifier)
    const user = await findUserById(tx, flow.userId)
    if (!user) throw authError('user_not_found')
    if (isBanned(user, auth.now().getTime())) throw authError('user_banned', { status: 400 })
    await deleteFlowState(tx, flow.id)
    const traits = { provider_type: flow.providerType }
    return { flow, grant: await signIn(auth, tx, { user, method: flow.authenticationMethod, call, traits }) }
  })
  return grantReply(call, grant, {
    ...(flow.providerAccessToken ? { provider_token: flow.providerAccessToken } : {}),
    ...(flow.providerRefreshToken ? { provider_refresh_token: flow.providerRefreshToken } : {}),
  })
}

/** Every `grant_type` of the hosted API. */
export const tokenGrants: Readonly<Record<string, TokenGrant>> = {
  password: passwordGrant,
  refresh_token: refreshGrant,
  pkce: pkceGrant,
  // Read when it is asked for: it stands on this file itself.
  id_token: async (auth, call) => (await import('./providers/id-token-grant.ts')).idTokenGrant(auth, call),
  // The curves of wallets are fetched with the first of them.
  web3: async (auth, call) => (await import('./web3/web3-grant.ts')).web3Grant(auth, call),
}

/** `POST /token?grant_type=…`. @throws `invalid_credentials` (400) for a grant type that is not known. */
export function grantToken(auth: Auth, call: Call): Promise<Response> {
  const name = call.query.get('grant_type') ?? ''
  const grant = Object.hasOwn(tokenGrants, name) ? tokenGrants[name] : undefined
  if (!grant) throw authError('invalid_credentials', { message: 'unsupported_grant_type' })
  auth.limits.spend('token', call.context.ip)
  return grant(auth, call)
}
