import { isoMoment } from '#services/auth/moments.ts'
import { z } from 'zod'

import type { Passkey } from './passkeys.queries.ts'

const text = z.string().nullish().transform((given) => given ?? '')

export const passkeyProofBody = z.object({ challenge_id: text, credential: z.unknown().optional() })
export const passkeyNameBody = z.object({ friendly_name: text })

/** A passkey as the API answers it. */
export const passkeyBody = (passkey: Passkey): Record<string, unknown> => ({
  id: passkey.id,
  ...(passkey.friendlyName === '' ? {} : { friendly_name: passkey.friendlyName }),
  created_at: isoMoment(passkey.createdAt),
  ...(passkey.lastUsedAt === null ? {} : { last_used_at: isoMoment(passkey.lastUsedAt) }),
})
