import type { Auth } from './auth.ts'
import { reply, type Call } from './call.ts'
import { supportedScopes } from './oauth-server/scopes.ts'

/** Providers `/settings` names, in its order. */
const namedProviders = [
  'apple', 'azure', 'bitbucket', 'discord', 'facebook', 'snapchat', 'figma', 'fly', 'github', 'gitlab', 'google', 'keycloak', 'kakao',
  'linkedin', 'linkedin_oidc', 'notion', 'spotify', 'slack', 'slack_oidc', 'workos', 'twitch', 'twitter',
] as const

/** `GET /settings`: what a client may know of the project. @see supabase/auth internal/api/settings.go */
export async function getSettings(auth: Auth, call: Call): Promise<Response> {
  const { settings } = auth
  // A provider that is named but cannot be reached would be a button that leads nowhere.
  const isOn = (name: string): boolean => Object.hasOwn(settings.providers.external, name)
  return reply(call, {
    external: {
      anonymous_users: settings.enableAnonymousSignIns,
      ...Object.fromEntries(namedProviders.map((name) => [name, isOn(name)])),
      email: settings.email.enabled,
      phone: settings.sms.enabled,
      zoom: isOn('zoom'),
      // Hosted projects do not tell of these; a client that does not know them leaves them aside.
      ...Object.fromEntries(['x', 'local'].filter(isOn).map((name) => [name, true])),
    },
    disable_signup: !settings.enableSignup,
    mailer_autoconfirm: !settings.email.enableConfirmations,
    phone_autoconfirm: !settings.sms.enableConfirmations,
    sms_provider: settings.sms.provider,
    saml_enabled: settings.saml.privateKey !== undefined,
    saml_private_key_next_configured: false,
    passkeys_enabled: settings.passkeys.enabled,
  })
}

/** `GET /health`. The words are the hosted backend's: clients look for `name`. */
export async function getHealth(_auth: Auth, call: Call): Promise<Response> {
  return reply(call, { version: 'portico', name: 'GoTrue', description: 'GoTrue is a user registration and authentication API' })
}

const mayBeCached = { 'cache-control': 'public, max-age=600' }

/** `GET /.well-known/jwks.json`: the keys access tokens are checked with. Symmetric keys are never among them. */
export async function getJwks(auth: Auth, call: Call): Promise<Response> {
  const keys = auth.keys.publicJwks.filter((key) => key.kty !== 'oct').map(({ d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...shown }) => shown)
  return reply(call, { keys }, { headers: mayBeCached })
}

/**
 * `GET /.well-known/openid-configuration` and `/.well-known/oauth-authorization-server`: what applications find out for themselves.
 *
 * @see supabase/auth internal/api/jwks.go, `WellKnownOpenID`
 */
export async function getServerMetadata(auth: Auth, call: Call): Promise<Response> {
  const { enabled, allowDynamicRegistration } = auth.settings.oauthServer
  // ID tokens are signed with a key that others can check, or not at all.
  const { alg } = auth.keys.signing
  const isCheckable = alg !== 'HS256'
  const base = auth.issuer.replace(/\/+$/, '')
  const body = {
    issuer: auth.issuer,
    authorization_endpoint: `${base}/oauth/authorize`,
    token_endpoint: `${base}/oauth/token`,
    jwks_uri: `${base}/.well-known/jwks.json`,
    userinfo_endpoint: `${base}/oauth/userinfo`,
    ...(enabled && allowDynamicRegistration ? { registration_endpoint: `${base}/oauth/clients/register` } : {}),
    scopes_supported: supportedScopes.filter((scope) => isCheckable || scope !== 'openid'),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: isCheckable ? [alg] : [],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    claims_supported: [
      'sub', 'aud', 'iss', 'exp', 'iat', 'auth_time', 'nonce', 'email', 'email_verified', 'phone_number', 'phone_number_verified',
      'name', 'picture', 'preferred_username', 'updated_at',
    ],
    code_challenge_methods_supported: ['S256', 'plain'],
  }
  return reply(call, body, { headers: mayBeCached })
}
