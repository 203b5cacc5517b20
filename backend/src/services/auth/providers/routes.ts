import type { Route } from '#services/auth/routes.ts'

import { authorize, authorizeLink } from './authorize.ts'
import { callback } from './callback.ts'
import { changeCustomProvider, createCustomProvider, getCustomProvider, getCustomProviders, removeCustomProvider } from './custom-providers.ts'
import { deleteOwnIdentity } from './identities.ts'

/** Sign-in with other people's identity providers. */
export const providerRoutes: readonly Route[] = [
  { method: 'GET', path: '/authorize', answer: authorize },
  { method: 'GET', path: '/callback', answer: callback },
  { method: 'POST', path: '/callback', answer: callback },
  { method: 'GET', path: '/user/identities/authorize', answer: authorizeLink },
  { method: 'DELETE', path: '/user/identities/{identity_id}', answer: deleteOwnIdentity },
  { method: 'GET', path: '/admin/custom-providers', answer: getCustomProviders },
  { method: 'POST', path: '/admin/custom-providers', answer: createCustomProvider },
  { method: 'GET', path: '/admin/custom-providers/{identifier}', answer: getCustomProvider },
  { method: 'PUT', path: '/admin/custom-providers/{identifier}', answer: changeCustomProvider },
  { method: 'DELETE', path: '/admin/custom-providers/{identifier}', answer: removeCustomProvider },
]
