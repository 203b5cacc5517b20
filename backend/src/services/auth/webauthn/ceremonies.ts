import { randomBytes } from 'node:crypto'

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { Auth } from '#services/auth/auth.ts'
import type { User } from '#services/auth/user.ts'

import { ceremonySeconds } from './settings.ts'

/** A credential as it is checked. */
export interface KnownCredential {
  /** Base64url. */
  id: string
  /** COSE. */
  publicKey: Uint8Array
  counter: number
  transports: readonly string[]
  isBackupEligible: boolean
}

export interface NewCredential extends KnownCredential {
  aaguid: string
  attestationType: string
  isBackedUp: boolean
  isUserVerified: boolean
}

/** What the server remembers of a ceremony, as the hosted backend keeps it. */
export interface CeremonyData {
  /** Base64url. */
  challenge: string
  rpId: string
  /** Base64 of the id's text; left out when anybody may answer. */
  user_id?: string
  expires: string
  userVerification: 'preferred'
}

// Some 200 ms and a megabyte that most boxes never need.
const load = () => import('@simplewebauthn/server')

const timeout = ceremonySeconds * 1000

/** The handle authenticators keep of a person: the text of their id. */
export const handleOf = (userId: string): Buffer => Buffer.from(userId)

const nameOf = (user: User): string => user.email || user.phone || user.id

const displayNameOf = (user: User): string => {
  const { name } = user.userMetadata
  return typeof name === 'string' && name !== '' ? name : nameOf(user)
}

/** Remembers a challenge. */
export const ceremonyData = (auth: Auth, challenge: string, userId?: string): CeremonyData => ({
  challenge,
  rpId: auth.settings.webauthn.rpId,
  ...(userId === undefined ? {} : { user_id: handleOf(userId).toString('base64') }),
  expires: new Date(auth.now().getTime() + timeout).toISOString(),
  userVerification: 'preferred',
})

/** The challenge of what was remembered; empty for what is none, which nobody can answer. */
export function challengeOf(data: unknown): string {
  const challenge = typeof data === 'object' && data !== null && 'challenge' in data ? data.challenge : undefined
  return typeof challenge === 'string' ? challenge : ''
}

/** What a browser needs to make a credential. */
export async function creationOptions(auth: Auth, asked: { user: User; known: readonly KnownCredential[]; residentKey: 'required' | 'discouraged' }) {
  const { generateRegistrationOptions } = await load()
  const { rpId, rpDisplayName } = auth.settings.webauthn
  return generateRegistrationOptions({
    rpName: rpDisplayName,
    rpID: rpId,
    userName: nameOf(asked.user),
    userDisplayName: displayNameOf(asked.user),
    userID: new Uint8Array(handleOf(asked.user.id)),
    challenge: new Uint8Array(randomBytes(32)),
    timeout,
    attestationType: 'none',
    excludeCredentials: asked.known.map(({ id, transports }) => ({ id, transports: [...transports] })),
    authenticatorSelection: { residentKey: asked.residentKey, userVerification: 'preferred' },
  })
}

/** What a browser needs to use one. Nothing in `known`: any the person has for this host. */
export async function requestOptions(auth: Auth, known: readonly KnownCredential[]) {
  const { generateAuthenticationOptions } = await load()
  return generateAuthenticationOptions({
    rpID: auth.settings.webauthn.rpId,
    challenge: new Uint8Array(randomBytes(32)),
    timeout,
    userVerification: 'preferred',
    ...(known.length === 0 ? {} : { allowCredentials: known.map(({ id, transports }) => ({ id, transports: [...transports] })) }),
  })
}

// The library reads what it is given by its shape; anything it cannot read is a failed ceremony and not one of ours.
const isResponse = (given: unknown): boolean =>
  typeof given === 'object' && given !== null && 'id' in given && typeof given.id === 'string' && 'response' in given && typeof given.response === 'object' && given.response !== null

const transportsOf = (given: readonly string[] | undefined): string[] => (given ?? []).filter((one) => typeof one === 'string' && one.length <= 32).slice(0, 10)

/** Checks a new credential: challenge, origin, host, presence, attestation. Undefined: it does not hold. */
export async function checkCreation(auth: Auth, asked: { response: unknown; challenge: string }): Promise<NewCredential | undefined> {
  if (!isResponse(asked.response) || asked.challenge === '') return undefined
  const { verifyRegistrationResponse } = await load()
  const { rpId, rpOrigins } = auth.settings.webauthn
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: asked.response as RegistrationResponseJSON,
      expectedChallenge: asked.challenge,
      expectedOrigin: [...rpOrigins],
      expectedRPID: rpId,
      requireUserVerification: false,
    })
    if (!verified) return undefined
    const { credential, fmt, aaguid, credentialDeviceType, credentialBackedUp, userVerified } = registrationInfo
    return {
      id: credential.id,
      publicKey: credential.publicKey,
      counter: credential.counter,
      transports: transportsOf(credential.transports),
      aaguid,
      attestationType: fmt,
      isBackupEligible: credentialDeviceType === 'multiDevice',
      isBackedUp: credentialBackedUp,
      isUserVerified: userVerified,
    }
  } catch (error) {
    auth.logger.info('a credential was not accepted', { error })
    return undefined
  }
}

/** The person's id an answer holds; undefined when it names nobody. */
export function readHandle(response: unknown): string | undefined {
  if (!isResponse(response)) return undefined
  const { userHandle } = (response as AuthenticationResponseJSON).response
  return typeof userHandle === 'string' && userHandle !== '' ? Buffer.from(userHandle, 'base64url').toString() : undefined
}

/** The credential an answer comes from, in base64url. */
export const readCredentialId = (response: unknown): string => (isResponse(response) ? (response as { id: string }).id : '')

/**
 * Checks a signature: challenge, origin, host, presence, key, and that the counter has moved on, since a copy of an authenticator lags behind.
 *
 * @returns the new counter; undefined: it does not hold.
 */
export async function checkAssertion(
  auth: Auth,
  asked: { response: unknown; challenge: string; credential: KnownCredential },
): Promise<{ counter: number; isBackedUp: boolean } | undefined> {
  const { response, challenge, credential } = asked
  if (!isResponse(response) || challenge === '') return undefined
  const { verifyAuthenticationResponse } = await load()
  const { rpId, rpOrigins } = auth.settings.webauthn
  try {
    const { verified, authenticationInfo: seen } = await verifyAuthenticationResponse({
      response: response as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: [...rpOrigins],
      expectedRPID: rpId,
      credential: { id: credential.id, publicKey: new Uint8Array(credential.publicKey), counter: credential.counter },
      requireUserVerification: false,
    })
    // Whether a credential may be copied to other devices is settled when it is made.
    const isSameKind = (seen.credentialDeviceType === 'multiDevice') === credential.isBackupEligible
    return verified && isSameKind ? { counter: seen.newCounter, isBackedUp: seen.credentialBackedUp } : undefined
  } catch (error) {
    auth.logger.info('a signature was not accepted', { error })
    return undefined
  }
}
