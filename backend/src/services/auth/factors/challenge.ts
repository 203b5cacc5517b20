import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { readOptionalBody, reply, type Call } from '#services/auth/call.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'

import { insertChallenge, type NewChallenge } from './challenges.queries.ts'
import { addressOf, requireHolder, requireNamedFactor, type Holder } from './factor-call.ts'
import type { EnrolledFactor } from './enrolled-factors.queries.ts'
import { inOwnMoment } from './own-moment.ts'
import { phoneQuestion } from './phone-factor.ts'
import { challengeLifeSeconds } from './settings.ts'
import { webauthnQuestion } from './webauthn-factor.ts'
import { challengeBody } from './wire.ts'

/** What a challenge keeps, and what its answer says besides id, kind and end. */
export interface Question {
  kept: Pick<NewChallenge, 'code' | 'sessionData'>
  shown?: Readonly<Record<string, unknown>>
}

/** Makes the question of one kind of factor. */
export type Ask = (auth: Auth, asked: { holder: Holder; factor: EnrolledFactor; channel: string }) => Promise<Question>

const kinds: Readonly<Record<string, { refusal: `mfa_${'totp' | 'phone' | 'webauthn'}_verify_not_enabled`; ask: Ask }>> = {
  totp: { refusal: 'mfa_totp_verify_not_enabled', ask: async () => ({ kept: {} }) },
  phone: { refusal: 'mfa_phone_verify_not_enabled', ask: phoneQuestion },
  webauthn: { refusal: 'mfa_webauthn_verify_not_enabled', ask: webauthnQuestion },
}

async function keep(auth: Auth, asked: { holder: Holder; factor: EnrolledFactor; challenge: NewChallenge }): Promise<void> {
  const { factor, challenge, holder } = asked
  await auth.transact(async (tx) => {
    await insertChallenge(tx, challenge)
    await recordAudit(auth, tx, { actor: holder.user, action: 'challenge_created', traits: { factor_id: factor.id, factor_status: factor.status } })
  })
}

/**
 * `POST /factors/{id}/challenge`: begins an answer. It lives for five minutes, and for the address it was asked from.
 *
 * @throws `mfa_factor_not_found` (404), `mfa_…_verify_not_enabled`, `sms_send_failed` (422), `over_sms_send_rate_limit` (429).
 * @see supabase/auth internal/api/mfa.go, `ChallengeFactor`
 */
export async function challengeFactor(auth: Auth, call: Call): Promise<Response> {
  const holder = await requireHolder(auth, call)
  const factor = await requireNamedFactor(auth, call, holder.user.id)
  const { channel } = await readOptionalBody(call, challengeBody)
  const kind = kinds[factor.factorType]
  if (!kind) throw invalidRequest('factor_type needs to be totp, phone, or webauthn')
  if (!auth.settings.factors[factor.factorType as 'totp'].verify) throw authError(kind.refusal)
  const at = auth.now()
  const { kept, shown = {} } = await kind.ask(auth, { holder, factor, channel })
  const challenge = { id: auth.random.uuid(), factorId: factor.id, ip: addressOf(call), at, ...kept }
  await inOwnMoment(() => keep(auth, { holder, factor, challenge }))
  const expiresAt = Math.floor(at.getTime() / 1000) + challengeLifeSeconds
  return reply(call, { id: challenge.id, type: factor.factorType, expires_at: expiresAt, ...shown })
}
