import type { Auth } from '#services/auth/auth.ts'
import type { SignedIn } from '#services/auth/caller.ts'
import { authError } from '#services/auth/errors.ts'
import { hasVerifiedFactor } from '#services/auth/user.ts'

/** @throws `passkey_disabled` (404). */
export function requirePasskeys(auth: Auth): void {
  if (!auth.settings.passkeys.enabled) throw authError('passkey_disabled', { message: 'Passkeys are disabled' })
}

/** @throws `insufficient_aal` (403) without the second factor the person has. */
export function requireManagementLevel({ user, session }: SignedIn): void {
  if (hasVerifiedFactor(user) && session?.aal !== 'aal2') {
    throw authError('insufficient_aal', { status: 403, message: 'AAL2 session is required to manage passkeys when MFA is enabled' })
  }
}
