import { toAppError, unwrap } from '#api/unwrap.ts'
import { unwrapCeremony } from '#api/ceremony.ts'
import type { Client } from '#api/client.ts'

/** Refusals of the question, not of the answer: the same answer is good for a new question. */
const isStale = (failure: unknown) => ['mfa_challenge_expired', 'mfa_ip_address_mismatch'].includes(toAppError(failure).code)

/** @throws AppError `mfa_verification_failed` for a wrong code, `mfa_ip_address_mismatch` when the network changed twice in a row. */
export async function verifyTotp({ auth }: Client, factorId: string, code: string): Promise<void> {
  const ask = () => unwrap(auth.mfa.challengeAndVerify({ factorId, code }))
  try {
    await ask()
  } catch (failure) {
    if (!isStale(failure)) throw failure
    await ask()
  }
}

/** A code that was texted, and the question it answers. */
export interface TextedCode {
  challengeId: string
  /** Milliseconds since the epoch. */
  expiresAt: number
}

/** @throws AppError 429 `over_sms_send_rate_limit` when the last one was sent less than a minute ago. */
export async function textCode({ auth }: Client, factorId: string): Promise<TextedCode> {
  const { id, expires_at } = await unwrap(auth.mfa.challenge({ factorId }))
  return { challengeId: id, expiresAt: expires_at * 1000 }
}

/** @throws AppError `mfa_verification_failed`, or `mfa_challenge_expired` and `mfa_ip_address_mismatch`: then a new code has to be texted. */
export async function verifyTexted({ auth }: Client, factorId: string, { challengeId, code }: { challengeId: string; code: string }): Promise<void> {
  await unwrap(auth.mfa.verify({ factorId, challengeId, code }))
}

/** @throws AppError with a code of `toCeremonyError` */
export async function verifyKey({ auth }: Client, factorId: string): Promise<void> {
  const ask = () => unwrapCeremony(() => auth.mfa.webauthn.authenticate({ factorId }))
  try {
    await ask()
  } catch (failure) {
    if (!isStale(failure)) throw failure
    await ask()
  }
}

/** @throws AppError `mfa_verification_failed` for a wrong or used one, 429 `mfa_recovery_codes_locked` after too many. */
export async function verifyRecoveryCode({ auth }: Client, code: string): Promise<void> {
  await unwrap(auth.mfa.recoveryCodes.verify({ code: code.trim() }))
}
