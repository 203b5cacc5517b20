import type { ServiceError } from '#contract/service-error.ts'

import { authError, invalidRequest } from './errors.ts'

// In the words the hosted backend has for a feature that is switched off, so that clients know what to hide.
const switchedOff: readonly { path: RegExp; refusal: () => ServiceError }[] = [
  { path: /^\/user\/identities\//, refusal: () => authError('manual_linking_disabled') },
  { path: /^\/(?:user\/oauth|oauth|admin\/oauth)(?:\/|$)|^\/\.well-known\/oauth-authorization-server$/, refusal: () => authError('feature_disabled', { message: 'OAuth server is disabled' }) },
  { path: /^\/admin\/custom-providers(?:\/|$)/, refusal: () => authError('feature_disabled', { message: 'Custom OAuth providers are disabled' }) },
  { path: /^\/sso(?:\/|$)/, refusal: () => authError('saml_provider_disabled') },
  { path: /^\/passkeys(?:\/|$)/, refusal: () => authError('passkey_disabled', { message: 'Passkeys are disabled' }) },
  { path: /^\/factors$/, refusal: () => authError('mfa_totp_enroll_not_enabled') },
  { path: /^\/factors\//, refusal: () => authError('mfa_totp_verify_not_enabled') },
  { path: /^\/(?:authorize|callback)$/, refusal: () => invalidRequest('Unsupported provider: provider is not enabled') },
]

/** Why an endpoint of the hosted API is not answered here; undefined for a path it does not know either. */
export const refusalFor = (path: string): ServiceError | undefined => switchedOff.find((one) => one.path.test(path))?.refusal()
