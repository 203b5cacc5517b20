import { DatabaseError } from '#database/database-error.ts'
import type { Transaction } from '#database/database.ts'
import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { readBody, reply, type Call } from '#services/auth/call.ts'
import { requireOwnLevel, requireSignedIn } from '#services/auth/caller.ts'
import { authError } from '#services/auth/errors.ts'
import type { User } from '#services/auth/user.ts'
import { lockUser } from '#services/auth/users.queries.ts'
import { checkCreation, creationOptions, type NewCredential } from '#services/auth/webauthn/ceremonies.ts'

import { requirePasskeys } from './access.ts'
import { keepChallenge, takeChallenge } from './challenges.ts'
import { passkeyName } from './passkey-names.ts'
import { findPasskey, insertPasskey, listCredentials, type Passkey } from './passkeys.queries.ts'
import { passkeyBody, passkeyProofBody } from './wire.ts'

async function requireRegistrant(auth: Auth, call: Call): Promise<User> {
  requirePasskeys(auth)
  const signedIn = await requireSignedIn(auth, call)
  const { user } = signedIn
  if (user.isAnonymous) throw authError('no_authorization', { status: 403, message: 'Anonymous user not allowed to perform these actions' })
  if (user.isSsoUser) throw authError('validation_failed', { status: 422, message: 'SSO users cannot register passkeys' })
  requireOwnLevel(signedIn, 'manage passkeys')
  return user
}

function requireRoom(auth: Auth, count: number): void {
  if (count >= auth.settings.passkeys.maxPerPerson) throw authError('too_many_passkeys', { message: 'Maximum number of passkeys reached' })
}

/**
 * `POST /passkeys/registration/options`: what a browser needs to make a passkey for the person signed in.
 *
 * @throws `passkey_disabled` (404), `no_authorization`, `insufficient_aal` (403), `too_many_passkeys`, `validation_failed` (422).
 * @see supabase/auth internal/api/passkey_registration.go
 */
export async function startRegistration(auth: Auth, call: Call): Promise<Response> {
  const user = await requireRegistrant(auth, call)
  const known = await auth.transact((tx) => listCredentials(tx, user.id), { readOnly: true })
  requireRoom(auth, known.length)
  const options = await creationOptions(auth, { user, known, residentKey: 'required' })
  return reply(call, await keepChallenge(auth, { type: 'registration', userId: user.id }, options))
}

async function add(auth: Auth, tx: Transaction, { user, credential }: { user: User; credential: NewCredential }): Promise<Passkey> {
  await lockUser(tx, user.id)
  requireRoom(auth, (await listCredentials(tx, user.id)).length)
  const id = auth.random.uuid()
  await insertPasskey(tx, { id, userId: user.id, name: passkeyName(credential.aaguid), credential, at: auth.now() })
  await recordAudit(auth, tx, { actor: user, action: 'passkey_created', traits: { passkey_id: id } })
  const made = await findPasskey(tx, user.id, id)
  if (!made) throw authError('unexpected_failure')
  return made
}

/**
 * `POST /passkeys/registration/verify`: keeps the passkey a browser made.
 *
 * @throws `webauthn_challenge_not_found`, `webauthn_challenge_expired`, `webauthn_verification_failed` (400),
 * `webauthn_credential_exists`, `too_many_passkeys` (422).
 */
export async function finishRegistration(auth: Auth, call: Call): Promise<Response> {
  const user = await requireRegistrant(auth, call)
  const proof = await readBody(call, passkeyProofBody)
  const challenge = await takeChallenge(auth, { type: 'registration', userId: user.id }, proof)
  const credential = await checkCreation(auth, { response: proof.credential, challenge })
  if (!credential) throw authError('webauthn_verification_failed', { message: 'Credential verification failed' })
  try {
    const { lastUsedAt: _, ...made } = await auth.transact((tx) => add(auth, tx, { user, credential }))
    return reply(call, passkeyBody({ ...made, lastUsedAt: null }))
  } catch (error) {
    if (error instanceof DatabaseError && error.sqlstate === '23505') {
      throw authError('webauthn_credential_exists', { message: 'This credential is already registered', cause: error })
    }
    throw error
  }
}
