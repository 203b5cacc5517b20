import type { Auth } from '#services/auth/auth.ts'
import { authError } from '#services/auth/errors.ts'

/** @throws `saml_provider_disabled` (404) where the project has no key to sign with. */
export function requireSaml({ settings }: Auth): void {
  if (!settings.saml.privateKey) throw authError('saml_provider_disabled')
}
