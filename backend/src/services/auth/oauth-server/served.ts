import type { Auth } from '#services/auth/auth.ts'
import { authError } from '#services/auth/errors.ts'
import type { Route } from '#services/auth/routes.ts'

/** @throws `feature_disabled` (404) while the project is no provider of sign-in. */
export function requireServed(auth: Auth): void {
  if (!auth.settings.oauthServer.enabled) throw authError('feature_disabled', { message: 'OAuth server is disabled' })
}

/** An endpoint that is looked at only where the project is a provider of sign-in. */
export const whenServed =
  (answer: Route['answer']): Route['answer'] =>
  async (auth, call) => {
    requireServed(auth)
    return answer(auth, call)
  }
