import type { Route } from '#services/auth/routes.ts'

import { authorize, authorizeLink } from './authorize.ts'
import { callback } from './callback.ts'
import { deleteOwnIdentity } from './identities.ts'

/** Sign-in with other people's identity providers. */
export const providerRoutes: readonly Route[] = [
  { method: 'GET', path: '/authorize', answer: authorize },
  { method: 'GET', path: '/callback', answer: callback },
  { method: 'POST', path: '/callback', answer: callback },
  { method: 'GET', path: '/user/identities/authorize', answer: authorizeLink },
  { method: 'DELETE', path: '/user/identities/{identity_id}', answer: deleteOwnIdentity },
]
