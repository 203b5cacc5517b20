import type { Route } from '#services/auth/routes.ts'

import { finishAuthentication, startAuthentication } from './authentication.ts'
import { deleteAdminPasskey, deleteOwnPasskey, listAdminPasskeys, listOwnPasskeys, renameOwnPasskey } from './manage.ts'
import { finishRegistration, startRegistration } from './registration.ts'

/** Passkeys, by their holder and by administrators. */
export const passkeyRoutes: readonly Route[] = [
  { method: 'POST', path: '/passkeys/registration/options', answer: startRegistration },
  { method: 'POST', path: '/passkeys/registration/verify', answer: finishRegistration },
  { method: 'POST', path: '/passkeys/authentication/options', answer: startAuthentication, bucket: 'passkey' },
  { method: 'POST', path: '/passkeys/authentication/verify', answer: finishAuthentication, bucket: 'passkey_verify' },
  { method: 'GET', path: '/passkeys', answer: listOwnPasskeys },
  { method: 'PATCH', path: '/passkeys/{passkey_id}', answer: renameOwnPasskey },
  { method: 'DELETE', path: '/passkeys/{passkey_id}', answer: deleteOwnPasskey },
  { method: 'GET', path: '/admin/users/{user_id}/passkeys', answer: listAdminPasskeys },
  { method: 'DELETE', path: '/admin/users/{user_id}/passkeys/{passkey_id}', answer: deleteAdminPasskey },
]
