import type { Auth } from '#services/auth/auth.ts'
import { isUuid } from '#services/auth/codes.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import { momentMs } from '#services/auth/moments.ts'
import { ceremonyData, challengeOf } from '#services/auth/webauthn/ceremonies.ts'
import { ceremonySeconds } from '#services/auth/webauthn/settings.ts'

import { insertPasskeyChallenge, takePasskeyChallenge } from './passkeys.queries.ts'

/** Whose challenge it is, and for what. */
interface Purpose {
  type: 'registration' | 'authentication'
  userId: string | null
}

/** Keeps a challenge for five minutes, and answers with its options. */
export async function keepChallenge(auth: Auth, { type, userId }: Purpose, options: { challenge: string }): Promise<Record<string, unknown>> {
  const id = auth.random.uuid()
  const at = auth.now()
  const expiresAt = new Date(at.getTime() + ceremonySeconds * 1000)
  const data = ceremonyData(auth, options.challenge, userId ?? undefined)
  await auth.transact((tx) => insertPasskeyChallenge(tx, { id, userId, type, data, at, expiresAt }))
  return { challenge_id: id, options, expires_at: Math.floor(expiresAt.getTime() / 1000) }
}

/**
 * Takes the challenge an answer names, once, whether the answer holds or not.
 *
 * @throws `validation_failed`, `webauthn_challenge_not_found`, `webauthn_challenge_expired` (400).
 */
export async function takeChallenge(auth: Auth, purpose: Purpose, proof: { challenge_id: string; credential?: unknown }): Promise<string> {
  if (proof.challenge_id === '') throw invalidRequest('challenge_id is required')
  if (proof.credential === undefined || proof.credential === null) throw invalidRequest('credential is required')
  if (!isUuid(proof.challenge_id)) throw invalidRequest('challenge_id must be a valid UUID')
  const taken = await auth.transact((tx) => takePasskeyChallenge(tx, { ...purpose, id: proof.challenge_id }))
  if (!taken) throw authError('webauthn_challenge_not_found', { message: 'Challenge not found or already used' })
  if (auth.now().getTime() > momentMs(taken.expiresAt)) throw authError('webauthn_challenge_expired', { message: 'Challenge has expired' })
  return challengeOf(taken.data)
}
