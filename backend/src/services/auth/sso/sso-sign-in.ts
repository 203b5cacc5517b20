import { z } from 'zod'

import type { Auth } from '#services/auth/auth.ts'
import { readBody, reply, type Call } from '#services/auth/call.ts'
import { isUuid } from '#services/auth/codes.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import { readChallenge } from '#services/auth/pkce.ts'
import { redirect } from '#services/auth/verify-routes.ts'

import { readIdpMetadata } from './idp-metadata.ts'
import { requireSaml } from './saml-switch.ts'
import { serviceProviderFor } from './service-provider.ts'
import { findProviderByDomain, findProviderById, insertVisit, type SsoProvider } from './sso.queries.ts'

const text = z.string().nullish().transform((given) => given ?? '')
const ssoBody = z.object({
  provider_id: text,
  domain: text,
  redirect_to: text,
  skip_http_redirect: z.boolean().nullish().transform((given) => given ?? false),
  code_challenge: text,
  code_challenge_method: text,
})

/** @throws `validation_failed` (400), `sso_provider_not_found`, `sso_provider_disabled` (404). */
async function requireProvider(auth: Auth, asked: { id: string; domain: string }): Promise<SsoProvider> {
  if (asked.id !== '' && asked.domain !== '') throw invalidRequest('Only one of provider_id or domain supported')
  if (asked.id === '' && asked.domain === '') throw invalidRequest('A provider_id or domain needs to be provided')
  if (asked.id !== '' && !isUuid(asked.id)) throw authError('bad_json', { message: 'Could not parse request body as JSON: wrong type of value for provider_id' })
  const provider = await auth.transact((tx) => (asked.id === '' ? findProviderByDomain(tx, asked.domain) : findProviderById(tx, asked.id)), { readOnly: true })
  if (!provider) throw authError('sso_provider_not_found', { message: asked.id === '' ? 'No SSO provider assigned for this domain' : 'No such SSO provider' })
  if (provider.isDisabled === true) throw authError('sso_provider_disabled', { message: 'SSO Provider is currently disabled' })
  return provider
}

/**
 * `POST /sso`: where the people of a domain sign in, as `{ url }` or as a redirect to it.
 *
 * @throws `validation_failed` (400), `saml_provider_disabled`, `sso_provider_not_found`, `sso_provider_disabled` (404).
 * @see supabase/auth internal/api/sso.go
 */
export async function signInBySso(auth: Auth, call: Call): Promise<Response> {
  requireSaml(auth)
  const given = await readBody(call, ssoBody)
  const provider = await requireProvider(auth, { id: given.provider_id, domain: given.domain })
  const challenge = readChallenge(given.code_challenge, given.code_challenge_method)
  // An XML id may not begin with a digit.
  const requestId = `id-${auth.random.uuid()}`
  const relayStateId = auth.random.uuid()
  const visit = { relayStateId, flowId: auth.random.uuid(), providerId: provider.id, requestId, redirectTo: given.redirect_to, code: auth.random.uuid(), challenge, at: auth.now() }
  const service = serviceProviderFor(auth, readIdpMetadata(provider.metadataXml), { id: requestId, nameIdFormat: provider.nameIdFormat })
  const url = await service.getAuthorizeUrlAsync(relayStateId, undefined, {})
  await auth.transact((tx) => insertVisit(tx, visit))
  return given.skip_http_redirect ? reply(call, { url }) : redirect(url, 303)
}
