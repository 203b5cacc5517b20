import type { Auth } from '#services/auth/auth.ts'
import type { User } from '#services/auth/user.ts'
import { ceremonyData, challengeOf, checkAssertion, checkCreation, creationOptions, handleOf, readCredentialId, readHandle, requestOptions, type KnownCredential, type NewCredential } from '#services/auth/webauthn/ceremonies.ts'

import type { Ask } from './challenge.ts'
import type { EnrolledFactor } from './enrolled-factors.queries.ts'
import { listFactorCredentials, type StoredCredential } from './webauthn-factor.queries.ts'

const base64 = (bytes: Uint8Array | string): string => Buffer.from(bytes as string, typeof bytes === 'string' ? 'base64url' : undefined).toString('base64')

/** A credential as the hosted backend keeps it: the form of its library, bytes in base64. */
export const storedCredential = (made: NewCredential): StoredCredential => ({
  id: base64(made.id),
  publicKey: base64(made.publicKey),
  attestationType: made.attestationType,
  transport: made.transports,
  flags: { userPresent: true, userVerified: made.isUserVerified, backupEligible: made.isBackupEligible, backupState: made.isBackedUp },
  authenticator: { AAGUID: Buffer.from(made.aaguid.replaceAll('-', ''), 'hex').toString('base64'), signCount: made.counter, cloneWarning: false, attachment: '' },
})

/** Undefined: no credential is kept, or none that can be read. */
export function readCredential(stored: unknown): KnownCredential | undefined {
  const { id, publicKey, transport, flags, authenticator } = (stored ?? {}) as Partial<StoredCredential>
  if (typeof id !== 'string' || typeof publicKey !== 'string') return undefined
  return {
    id: Buffer.from(id, 'base64').toString('base64url'),
    publicKey: Buffer.from(publicKey, 'base64'),
    counter: authenticator?.signCount ?? 0,
    transports: transport ?? [],
    isBackupEligible: flags?.backupEligible ?? false,
  }
}

const isKnown = (credential: KnownCredential | undefined): credential is KnownCredential => credential !== undefined

/** Asks a key that is being enrolled to make a credential, and one that is enrolled to use its own. */
export const webauthnQuestion: Ask = async (auth, { holder, factor }) => {
  const { user } = holder
  const own = readCredential(factor.credential)
  const options =
    factor.status === 'verified' && own
      ? await requestOptions(auth, [own])
      : await creationOptions(auth, { user, known: (await otherCredentials(auth, user.id)).filter(isKnown), residentKey: 'discouraged' })
  const type = factor.status === 'verified' ? 'request' : 'create'
  return {
    kept: { sessionData: ceremonyData(auth, options.challenge, user.id) },
    shown: { webauthn: { type, credential_options: { publicKey: options } } },
  }
}

const otherCredentials = async (auth: Auth, userId: string) =>
  (await auth.transact((tx) => listFactorCredentials(tx, userId), { readOnly: true })).map(({ credential }) => readCredential(credential))

/** What is kept of a right answer; undefined: it does not hold. */
export async function judgeKey(
  auth: Auth,
  asked: { user: User; factor: EnrolledFactor; sessionData: unknown; proof: { type: string; response: unknown } },
): Promise<{ credential: StoredCredential; aaguid: string | null } | undefined> {
  const { user, factor, proof } = asked
  const challenge = challengeOf(asked.sessionData)
  if ((factor.status === 'unverified') !== (proof.type === 'create')) return undefined
  if (proof.type === 'create') {
    const made = await checkCreation(auth, { response: proof.response, challenge })
    return made && { credential: storedCredential(made), aaguid: made.aaguid }
  }
  const credential = readCredential(factor.credential)
  const handle = readHandle(proof.response)
  if (!credential || readCredentialId(proof.response) !== credential.id || (handle !== undefined && handle !== handleOf(user.id).toString())) return undefined
  const seen = await checkAssertion(auth, { response: proof.response, challenge, credential })
  if (!seen) return undefined
  const stored = factor.credential as StoredCredential
  return {
    credential: { ...stored, flags: { ...stored.flags, backupState: seen.isBackedUp }, authenticator: { ...stored.authenticator, signCount: seen.counter } },
    aaguid: null,
  }
}
