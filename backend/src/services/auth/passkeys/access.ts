import type { Auth } from '#services/auth/auth.ts'
import { authError } from '#services/auth/errors.ts'

/** @throws `passkey_disabled` (404). */
export function requirePasskeys(auth: Auth): void {
  if (!auth.settings.passkeys.enabled) throw authError('passkey_disabled', { message: 'Passkeys are disabled' })
}
