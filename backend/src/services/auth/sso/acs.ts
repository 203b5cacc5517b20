import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom'

import { ServiceError } from '#contract/service-error.ts'

import type { Auth } from '#services/auth/auth.ts'
import type { Call } from '#services/auth/call.ts'
import { isUuid } from '#services/auth/codes.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import { isOlderThan } from '#services/auth/moments.ts'
import { admit, onceMoreAfterRace } from '#services/auth/providers/accounts.ts'
import { errorParams, failureOf } from '#services/auth/providers/error-params.ts'
import { identityOf, type ProvidedIdentity } from '#services/auth/providers/profile.ts'
import { beginSession, type Grant } from '#services/auth/sessions.ts'
import { isFirstTime } from '#services/auth/shared-limits.ts'
import type { User } from '#services/auth/user.ts'
import { redirect, withParams } from '#services/auth/verify-routes.ts'

import { emailOf, mappedClaims, readAssertion, requireMeantForUs, subjectOf, type Assertion } from './assertion.ts'
import { encryptionOf } from './encryption.ts'
import { readIdpMetadata, type IdpMetadata } from './idp-metadata.ts'
import { fetchMetadata } from './metadata-fetch.ts'
import { requireSaml } from './saml-switch.ts'
import { samlAddresses, serviceProviderFor } from './service-provider.ts'
import { completeVisit, findProviderByEntity, findProviderById, limitSession, refreshMetadata, takeVisit, type SsoProvider, type Visit } from './sso.queries.ts'

/** An answer of an identity provider, and what it answers. */
interface Arrived {
  response: string
  provider: SsoProvider
  /** Null where the identity provider began. */
  visit: Visit | null
  redirectTo: string
}

/** Longest answer read, in characters of base64. */
const longestResponse = 512 * 1024

/** Deepest nesting read; a SAML response needs about ten. What is deeper only keeps the reader busy. */
const deepestNesting = 100

function nestsTooDeep(xml: string): boolean {
  let depth = 0
  for (const [sign] of xml.matchAll(/<\/|<(?=[^!?/])|\/>/g)) {
    depth += sign === '<' ? 1 : -1
    if (depth > deepestNesting) return true
  }
  return false
}

/** @throws `validation_failed` (400) for what is no form or no SAML response. */
async function readForm(call: Call): Promise<{ response: string; relayState: string }> {
  const form = new URLSearchParams((await call.request.text()).slice(0, 2 * longestResponse))
  const response = form.get('SAMLResponse') ?? ''
  if (response === '') throw invalidRequest('SAMLResponse is missing')
  if (response.length > longestResponse || !/^[\w+/\s]+=*\s*$/.test(response)) throw invalidRequest('SAMLResponse is not a valid Base64 string')
  const xml = Buffer.from(response, 'base64').toString()
  if (/<!DOCTYPE/i.test(xml) || nestsTooDeep(xml)) throw invalidRequest('SAMLResponse is not a valid XML SAML assertion')
  return { response, relayState: form.get('RelayState') ?? '' }
}

// Only to find out whose certificate to check it with: nothing is believed before that.
function claimedIssuer(response: string): string {
  try {
    const document = new DOMParser({ onError: onErrorStopParsing }).parseFromString(Buffer.from(response, 'base64').toString(), 'text/xml')
    const issuer = document.getElementsByTagNameNS('urn:oasis:names:tc:SAML:2.0:assertion', 'Issuer')[0]
    return issuer?.textContent?.trim() ?? ''
  } catch (cause) {
    throw Object.assign(invalidRequest('SAMLResponse is not a valid XML SAML assertion'), { cause })
  }
}

function requireEnabled(provider: SsoProvider | undefined): SsoProvider {
  if (!provider) throw authError('saml_idp_not_found', { message: 'A SAML connection has not been established with this Identity Provider' })
  if (provider.isDisabled === true) throw authError('sso_provider_disabled', { message: 'SSO Provider assigned for this domain is currently disabled' })
  return provider
}

async function findArrival(auth: Auth, { response, relayState }: { response: string; relayState: string }): Promise<Arrived> {
  if (isUuid(relayState)) {
    const visit = await auth.transact((tx) => takeVisit(tx, relayState.toLowerCase()))
    if (!visit) throw authError('saml_relay_state_not_found', { message: 'SAML RelayState does not exist, try logging in again?' })
    if (isOlderThan(visit.createdAt, auth.settings.saml.relayStateSeconds, auth.now().getTime())) {
      throw authError('saml_relay_state_expired', { message: 'SAML RelayState has expired. Try logging in again?' })
    }
    const provider = requireEnabled(await auth.transact((tx) => findProviderById(tx, visit.providerId), { readOnly: true }))
    return { response, provider, visit, redirectTo: visit.redirectTo }
  }
  if (relayState !== '' && !URL.canParse(relayState)) throw invalidRequest('SAML RelayState is not a valid UUID or URL')
  const issuer = claimedIssuer(response)
  const provider = requireEnabled(await auth.transact((tx) => findProviderByEntity(tx, issuer), { readOnly: true }))
  return { response, provider, visit: null, redirectTo: relayState }
}

const daySeconds = 86_400

function isStale({ validUntil, cacheSeconds }: IdpMetadata, fetchedAt: string, nowMs: number): boolean {
  if (validUntil && nowMs > validUntil.getTime()) return true
  if (cacheSeconds !== null) return isOlderThan(fetchedAt, cacheSeconds, nowMs)
  return validUntil === null && isOlderThan(fetchedAt, daySeconds, nowMs)
}

// Metadata that cannot be had now is no reason to turn people away: yesterday's may do.
async function metadataOf(auth: Auth, { id, entityId, metadataXml, metadataUrl, metadataAt }: SsoProvider): Promise<IdpMetadata> {
  const known = readIdpMetadata(metadataXml)
  if (metadataUrl === null || !isStale(known, metadataAt, auth.now().getTime())) return known
  try {
    const xml = await fetchMetadata(auth, metadataUrl)
    const fresh = readIdpMetadata(xml)
    if (fresh.entityId !== entityId) throw new Error('the metadata is that of another identity provider')
    await auth.transact((tx) => refreshMetadata(tx, { id, metadataXml: xml, at: auth.now() }))
    return fresh
  } catch (error) {
    auth.logger.warn('SAML metadata could not be fetched again; the last one is used', { provider: id, error })
    return known
  }
}

/** @throws `validation_failed` (400) for what nobody signed, or what was signed for somebody else, another time or another request. */
async function verifiedAssertion(auth: Auth, { response, provider, visit }: Arrived): Promise<Assertion> {
  const idp = await metadataOf(auth, provider)
  let assertion: Assertion
  try {
    const service = serviceProviderFor(auth, idp, { encryption: encryptionOf(Buffer.from(response, 'base64').toString()) })
    const { profile } = await service.validatePostResponseAsync({ SAMLResponse: response })
    if (!profile?.getAssertion) throw new Error('the response holds no assertion')
    assertion = readAssertion(profile.getAssertion())
  } catch (cause) {
    auth.logger.warn('a SAML response was refused', { provider: provider.id, error: cause })
    throw Object.assign(invalidRequest('SAML Assertion is not valid'), { cause })
  }
  requireMeantForUs(assertion, { issuer: provider.entityId, acs: samlAddresses(auth).acs, requestId: visit?.requestId ?? null, nowMs: auth.now().getTime() })
  return assertion
}

/** Claims a profile has of its own; all others of a mapping are the operator's. */
const profileClaims = new Set([
  'name', 'family_name', 'given_name', 'middle_name', 'nickname', 'preferred_username', 'profile', 'picture', 'website', 'gender', 'birthdate', 'zoneinfo',
  'locale', 'updated_at', 'phone', 'full_name', 'avatar_url', 'slug', 'provider_id', 'user_name',
])

function identityFrom(assertion: Assertion, provider: SsoProvider): ProvidedIdentity {
  const sub = subjectOf(assertion)
  const mapped = mappedClaims(assertion, provider.mapping)
  const email = emailOf(assertion, mapped)
  const { email: _email, ...rest } = mapped
  const own = Object.entries(rest).filter(([name]) => profileClaims.has(name))
  const custom = Object.fromEntries(Object.entries(rest).filter(([name]) => !profileClaims.has(name)))
  return identityOf({ emails: [{ email, isVerified: true, isPrimary: true }], claims: { ...Object.fromEntries(own), iss: provider.entityId, sub, custom_claims: custom } })
}

/** What a visit ends with: a code to trade, or tokens. */
type Ended = { kind: 'code'; user: User; code: string } | { kind: 'tokens'; grant: Grant }

async function end(auth: Auth, call: Call, { arrived, assertion }: { arrived: Arrived; assertion: Assertion }): Promise<Ended> {
  const { provider, visit, redirectTo } = arrived
  const identity = identityFrom(assertion, provider)
  return auth.transact(async (tx) => {
    const outcome = await admit(auth, tx, { provider: `sso:${provider.id}`, identity, emailOptional: false, redirectTo })
    if (outcome.kind === 'refused') throw outcome.failure
    if (visit?.code && visit.flowId) {
      const completed = await completeVisit(tx, { id: visit.flowId, userId: outcome.user.id, at: auth.now() })
      if (completed === 0) throw authError('flow_state_already_used', { message: 'State has already been used' })
      return { kind: 'code', user: outcome.user, code: visit.code }
    }
    const grant = await beginSession(auth, tx, { user: outcome.user, method: 'sso/saml', call })
    if (assertion.sessionEnd) await limitSession(tx, grant.sessionId, assertion.sessionEnd)
    return { kind: 'tokens', grant }
  })
}

/** An assertion nobody asked for lets in once: it is remembered until it has expired, clocks' differences included. */
async function requireFirstTime(auth: Auth, provider: SsoProvider, { id, notOnOrAfter }: Assertion): Promise<void> {
  const until = new Date((notOnOrAfter?.getTime() ?? auth.now().getTime()) + 600_000)
  const isFirst = await isFirstTime(auth, { what: `saml ${provider.id}`, id, until })
  if (!isFirst) throw invalidRequest('SAML Assertion has already been used')
}

async function answer(auth: Auth, call: Call): Promise<string> {
  requireSaml(auth)
  const arrived = await findArrival(auth, await readForm(call))
  const assertion = await verifiedAssertion(auth, arrived)
  if (!arrived.visit) await requireFirstTime(auth, arrived.provider, assertion)
  const ended = await onceMoreAfterRace(() => end(auth, call, { arrived, assertion }))
  const target = auth.redirects.isAllowed(arrived.redirectTo) ? arrived.redirectTo : auth.settings.siteUrl
  if (ended.kind === 'code') return withParams(target, { query: { code: ended.code } })
  const { accessToken, refreshToken, expiresAt, expiresIn } = ended.grant
  return withParams(target, {
    fragment: { access_token: accessToken, expires_at: String(expiresAt), expires_in: String(expiresIn), refresh_token: refreshToken, sb: '', token_type: 'bearer' },
  })
}

/**
 * `POST /sso/saml/acs`: where an identity provider sends the browser back to. Goes on to where the visit was begun for; to the
 * project's site with what went wrong.
 *
 * @see supabase/auth internal/api/samlacs.go
 */
export async function consumeAssertion(auth: Auth, call: Call): Promise<Response> {
  try {
    return redirect(await answer(auth, call), 302)
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'saml_provider_disabled') throw error
    return redirect(withParams(auth.settings.siteUrl, { query: errorParams(failureOf(auth, call, error)) }), 303)
  }
}
