import type { Route } from '#services/auth/routes.ts'

import { consumeAssertion } from './acs.ts'
import { getSamlMetadata } from './sp-metadata.ts'
import { createSsoProvider, deleteSsoProvider, getSsoProvider, listSsoProviders, updateSsoProvider } from './sso-admin.ts'
import { signInBySso } from './sso-sign-in.ts'

/** Sign-in at an organisation's own identity provider. */
export const ssoRoutes: readonly Route[] = [
  { method: 'POST', path: '/sso', answer: signInBySso, bucket: 'sso' },
  { method: 'GET', path: '/sso/saml/metadata', answer: getSamlMetadata },
  { method: 'POST', path: '/sso/saml/acs', answer: consumeAssertion, bucket: 'sso' },
  { method: 'GET', path: '/admin/sso/providers', answer: listSsoProviders },
  { method: 'POST', path: '/admin/sso/providers', answer: createSsoProvider },
  { method: 'GET', path: '/admin/sso/providers/{idp_id}', answer: getSsoProvider },
  { method: 'PUT', path: '/admin/sso/providers/{idp_id}', answer: updateSsoProvider },
  { method: 'DELETE', path: '/admin/sso/providers/{idp_id}', answer: deleteSsoProvider },
]
