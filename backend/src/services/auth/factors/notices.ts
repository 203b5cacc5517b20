import type { Auth } from '#services/auth/auth.ts'
import { sendNotice } from '#services/auth/letters.ts'
import type { User } from '#services/auth/user.ts'

/** Tells a person by mail that a second factor came or went, if the project wants it. */
export function sendFactorNotice(auth: Auth, user: User, told: { kind: 'mfa_factor_enrolled' | 'mfa_factor_unenrolled'; factorType: string }): void {
  const variables = { SiteURL: auth.settings.siteUrl, Email: user.email, Data: user.userMetadata, FactorType: told.factorType }
  sendNotice(auth, { kind: told.kind, to: user.email, variables })
}
