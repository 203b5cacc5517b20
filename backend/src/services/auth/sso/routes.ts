import type { Auth } from '#services/auth/auth.ts'
import type { Call } from '#services/auth/call.ts'
import type { Route } from '#services/auth/routes.ts'

type Answer = (auth: Auth, call: Call) => Promise<Response>

// Few projects sign in this way, and what reads signed XML is large: it is fetched with the first request.
const later =
  (load: () => Promise<Answer>): Answer =>
  async (auth, call) =>
    (await load())(auth, call)

const admin = (name: 'listSsoProviders' | 'createSsoProvider' | 'getSsoProvider' | 'updateSsoProvider' | 'deleteSsoProvider') => later(async () => (await import('./sso-admin.ts'))[name])

/** Sign-in at an organisation's own identity provider. */
export const ssoRoutes: readonly Route[] = [
  { method: 'POST', path: '/sso', answer: later(async () => (await import('./sso-sign-in.ts')).signInBySso), bucket: 'sso' },
  { method: 'GET', path: '/sso/saml/metadata', answer: later(async () => (await import('./sp-metadata.ts')).getSamlMetadata) },
  { method: 'POST', path: '/sso/saml/acs', answer: later(async () => (await import('./acs.ts')).consumeAssertion), bucket: 'sso' },
  { method: 'GET', path: '/admin/sso/providers', answer: admin('listSsoProviders') },
  { method: 'POST', path: '/admin/sso/providers', answer: admin('createSsoProvider') },
  { method: 'GET', path: '/admin/sso/providers/{idp_id}', answer: admin('getSsoProvider') },
  { method: 'PUT', path: '/admin/sso/providers/{idp_id}', answer: admin('updateSsoProvider') },
  { method: 'DELETE', path: '/admin/sso/providers/{idp_id}', answer: admin('deleteSsoProvider') },
]
