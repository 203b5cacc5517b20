import type { Transaction } from '#database/database.ts'
import { json, sql } from '#database/sql.ts'

/** A credential in `mfa_factors.web_authn_credential`. Bytes are base64. */
export interface StoredCredential {
  id: string
  publicKey: string
  attestationType: string
  transport: readonly string[]
  flags: { userPresent: boolean; userVerified: boolean; backupEligible: boolean; backupState: boolean }
  authenticator: { AAGUID: string; signCount: number; cloneWarning: boolean; attachment: string }
}

export const listFactorCredentials = (tx: Transaction, userId: string): Promise<{ credential: unknown }[]> =>
  tx.many(sql`
    select f.web_authn_credential as credential
    from auth.mfa_factors f
    where f.user_id = ${userId} and f.status = 'verified' and f.factor_type = 'webauthn' and f.web_authn_credential is not null`)

/** @param kept `aaguid` null: it stays. */
export const keepCredential = (tx: Transaction, factorId: string, kept: { credential: StoredCredential; aaguid: string | null; at: Date }): Promise<number> =>
  tx.execute(sql`
    update auth.mfa_factors
    set
      web_authn_credential = ${json(kept.credential)},
      web_authn_aaguid = coalesce(${kept.aaguid}::uuid, web_authn_aaguid),
      updated_at = ${kept.at}
    where id = ${factorId}`)
