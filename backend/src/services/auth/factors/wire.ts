import { z } from 'zod'

// As the hosted backend reads JSON: null and a missing member are the empty value.
const text = z.string().nullish().transform((given) => given ?? '')
const something = z.unknown().optional()

export const enrollBody = z.object({ friendly_name: text, factor_type: text, issuer: text, phone: text })
/** A challenge needs no body. */
export const challengeBody = z.object({ channel: text })
export const verifyBody = z.object({
  challenge_id: text,
  code: text,
  webauthn: z.object({ type: text, credential_response: something }).nullish().transform((given) => given ?? undefined),
})
export const adminFactorBody = z.object({ friendly_name: text, phone: text })
export const recoveryCodesBody = z.object({ friendly_name: text })
export const recoveryProofBody = z.object({ code: text })
