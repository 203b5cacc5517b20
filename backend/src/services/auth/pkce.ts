import { createHash } from 'node:crypto'

import { sameSecret } from './codes.ts'
import { authError, invalidRequest } from './errors.ts'

/** What a client that will trade a `?code=` commits itself to. */
export interface PkceChallenge {
  challenge: string
  method: 's256' | 'plain'
}

/**
 * Reads the challenge of a request; undefined when it carries none (tokens then travel in the fragment).
 *
 * @throws `validation_failed` (400) for half a challenge, a wrong length, wrong characters or an unknown method.
 */
export function readChallenge(challenge: string, method: string): PkceChallenge | undefined {
  if (challenge === '' && method === '') return undefined
  if (challenge === '' || method === '') throw invalidRequest('PKCE flow requires code_challenge_method and code_challenge')
  if (challenge.length < 43 || challenge.length > 128) throw invalidRequest('code challenge has to be between 43 and 128 characters')
  if (!/^[a-zA-Z._~0-9-]+$/.test(challenge)) {
    throw invalidRequest('code challenge can only contain alphanumeric characters, hyphens, periods, underscores and tildes')
  }
  const named = method.toLowerCase()
  if (named !== 's256' && named !== 'plain') throw invalidRequest(`unsupported code_challenge method "${method}"`)
  return { challenge, method: named }
}

/** Whether a verifier is the one the challenge was made from. */
export function isVerifier({ challenge, method }: PkceChallenge, verifier: string): boolean {
  const made = method === 's256' ? createHash('sha256').update(verifier).digest('base64url') : verifier
  return sameSecret(made, challenge)
}

/** @throws `bad_code_verifier` (400) when the verifier is not the one the challenge was made from. */
export function requireVerifier(challenge: PkceChallenge, verifier: string): void {
  if (!isVerifier(challenge, verifier)) throw authError('bad_code_verifier')
}
