import type { Transaction } from '#database/database.ts'
import type { Auth } from '#services/auth/auth.ts'
import { readBody, reply, type Call } from '#services/auth/call.ts'
import { isUuid } from '#services/auth/codes.ts'
import { authError } from '#services/auth/errors.ts'
import { grantBody, grantHeaders, signIn, type Grant } from '#services/auth/sessions.ts'
import { isBanned, isConfirmed, isPhoneConfirmed, type User } from '#services/auth/user.ts'
import { findUserById } from '#services/auth/users.queries.ts'
import { checkAssertion, readCredentialId, readHandle, requestOptions } from '#services/auth/webauthn/ceremonies.ts'

import { requirePasskeys } from './access.ts'
import { keepChallenge, takeChallenge } from './challenges.ts'
import { lockCredential, noteUse } from './passkeys.queries.ts'
import { passkeyProofBody } from './wire.ts'

const failed = () => authError('webauthn_verification_failed', { message: 'Credential verification failed' })

/**
 * `POST /passkeys/authentication/options`: what a browser needs to find a passkey of whoever sits before it.
 *
 * @throws `passkey_disabled` (404).
 * @see supabase/auth internal/api/passkey_authentication.go
 */
export async function startAuthentication(auth: Auth, call: Call): Promise<Response> {
  requirePasskeys(auth)
  return reply(call, await keepChallenge(auth, { type: 'authentication', userId: null }, await requestOptions(auth, [])))
}

/** @throws `email_not_confirmed`, `phone_not_confirmed`, `user_banned` (403). */
function requireWelcome(auth: Auth, user: User): void {
  if (user.email !== '' && !isConfirmed(user)) throw authError('email_not_confirmed', { status: 403 })
  if (user.phone !== '' && !isPhoneConfirmed(user)) throw authError('phone_not_confirmed', { status: 403 })
  if (isBanned(user, auth.now().getTime())) throw authError('user_banned')
}

async function letIn(auth: Auth, tx: Transaction, asked: { response: unknown; challenge: string; call: Call }): Promise<Grant> {
  const { response, challenge, call } = asked
  const userId = readHandle(response)
  const user = userId !== undefined && isUuid(userId) ? await findUserById(tx, userId) : undefined
  const credential = user && (await lockCredential(tx, user.id, Buffer.from(readCredentialId(response), 'base64url')))
  if (!user || !credential) throw failed()
  const seen = await checkAssertion(auth, { response, challenge, credential })
  if (!seen) throw failed()
  requireWelcome(auth, user)
  await noteUse(tx, credential.passkeyId, { ...seen, at: auth.now() })
  return signIn(auth, tx, { user, method: 'passkey', call, traits: { passkey_id: credential.passkeyId } })
}

/**
 * `POST /passkeys/authentication/verify`: signs in whoever holds the passkey, at aal1.
 *
 * @throws `webauthn_challenge_not_found`, `webauthn_challenge_expired`, `webauthn_verification_failed` (400, whatever was wrong),
 * `email_not_confirmed`, `phone_not_confirmed`, `user_banned` (403) only with a right signature.
 */
export async function finishAuthentication(auth: Auth, call: Call): Promise<Response> {
  requirePasskeys(auth)
  const proof = await readBody(call, passkeyProofBody)
  const challenge = await takeChallenge(auth, { type: 'authentication', userId: null }, proof)
  const grant = await auth.transact((tx) => letIn(auth, tx, { response: proof.credential, challenge, call }))
  return reply(call, grantBody(grant), { headers: grantHeaders(grant) })
}
