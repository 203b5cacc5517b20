import type { ServiceError } from '#contract/service-error.ts'

import type { Auth } from './auth.ts'
import type { Call } from './call.ts'
import { requireSignedIn } from './caller.ts'
import { authError } from './errors.ts'

interface SwitchedOff {
  path: RegExp
  refusal: () => ServiceError
  /** Whether who asks is looked at before what they ask for. */
  isForSignedIn?: boolean
}

// In the words the hosted backend has for a feature that is switched off, so that clients know what to hide.
const switchedOff: readonly SwitchedOff[] = [
  { path: /^\/passkeys(?:\/|$)/, refusal: () => authError('passkey_disabled', { message: 'Passkeys are disabled' }) },
]

/** Refuses an endpoint of the hosted API that is not served here; passes for a path that API does not know either. */
export async function refuseWhatIsOff(auth: Auth, call: Call): Promise<void> {
  const found = switchedOff.find((one) => one.path.test(call.context.path))
  if (!found) return
  if (found.isForSignedIn) await requireSignedIn(auth, call)
  throw found.refusal()
}
