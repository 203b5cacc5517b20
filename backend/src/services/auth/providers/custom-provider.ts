import type { Auth } from '#services/auth/auth.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'

import type { Asker } from './catalogue.ts'
import { findCustomProvider, type CustomProvider } from './custom-providers.queries.ts'
import type { TrustedIssuer } from './id-token-grant.ts'
import { readIdTokenProfile, readStandardClaims } from './id-token-profiles.ts'
import { readIdToken } from './id-tokens.ts'
import type { IssuerMetadata } from './issuers.ts'
import { oneEmail, text, type Profile } from './profile.ts'
import { discoveredFacts, UnsupportedProvider, type Provider } from './provider.ts'

/** Where an OpenID provider says what it is. */
export const discoveryUrlOf = ({ issuer, discoveryUrl }: Pick<CustomProvider, 'issuer' | 'discoveryUrl'>): string =>
  discoveryUrl || `${(issuer ?? '').replace(/\/+$/, '')}/.well-known/openid-configuration`

const ownClaims = (raw: Readonly<Record<string, unknown>>, allowed: readonly string[]) =>
  Object.fromEntries(allowed.filter((name) => Object.hasOwn(raw, name)).map((name) => [name, raw[name]]))

// What decides who somebody is and whether an address is theirs is the provider's to say, never a mapping's.
const unmapped = new Set(['email_verified', 'phone_verified'])

/** Puts a profile's claims under other names: `{ full_name: 'name' }` copies, a value that is no text stands for itself. */
function mapped(claims: Readonly<Record<string, unknown>>, mapping: Readonly<Record<string, unknown>>): Record<string, unknown> {
  // One `sub` for all would make everybody the same person.
  const mayStandForItself = (name: string): boolean => name !== 'sub'
  const given = Object.entries(mapping).filter(
    ([name, source]) => !unmapped.has(name) && (typeof source === 'string' ? claims[source] !== undefined : mayStandForItself(name)),
  )
  return { ...claims, ...Object.fromEntries(given.map(([name, source]) => [name, typeof source === 'string' ? claims[source] : source])) }
}

/** Gives a profile what the administrator wants of it besides. */
function asWanted(profile: Profile, raw: Readonly<Record<string, unknown>>, custom: CustomProvider): Profile {
  const { customClaims, attributeMapping } = custom
  const known = typeof profile.claims.custom_claims === 'object' && profile.claims.custom_claims !== null ? profile.claims.custom_claims : {}
  const kept = { ...profile.claims, custom_claims: { ...known, ...ownClaims(raw, customClaims) } }
  // An address under another name is one the provider did not call verified.
  const first = profile.emails[0]
  const source: Record<string, unknown> = { ...raw, ...kept, ...(first ? { email: first.email } : {}) }
  const claims = mapped(source, attributeMapping)
  const email = text(claims, 'email')
  const emails = email === (first?.email ?? '') ? profile.emails : oneEmail(email, false)
  const names = new Set([...Object.keys(kept), ...Object.keys(attributeMapping)])
  return { emails, claims: Object.fromEntries(Object.entries(claims).filter(([name]) => names.has(name))) }
}

const isBag = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

async function readUserinfo(ask: Asker, url: string, custom: CustomProvider): Promise<Profile> {
  const raw = await ask.get(url)
  if (!isBag(raw)) throw new Error('the provider told nothing of the person')
  return asWanted(readStandardClaims(raw), raw, custom)
}

function readOpenId(auth: Auth, custom: CustomProvider, metadata: IssuerMetadata) {
  return async (ask: Asker, nonce: string | undefined): Promise<Profile> => {
    if (ask.tokens.idToken === '') {
      if (!metadata.userinfo_endpoint) throw new Error('no ID token or userinfo endpoint available')
      return readUserinfo(ask, metadata.userinfo_endpoint, custom)
    }
    if (!metadata.jwks_uri) throw new Error('the issuer names no keys')
    const claims = await readIdToken(ask.tokens.idToken, {
      issuer: metadata.issuer,
      keys: auth.issuers.keysOf(auth.outbound('public'), metadata.jwks_uri),
      audiences: [custom.clientId, ...custom.acceptableClientIds],
      accessToken: ask.tokens.accessToken,
      now: auth.now(),
      ...(nonce === undefined || custom.skipNonceCheck ? {} : { nonce }),
    })
    return asWanted(readIdTokenProfile(claims), claims, custom)
  }
}

const textsOf = (bag: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(bag).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

async function requireCustom(auth: Auth, identifier: string): Promise<CustomProvider> {
  if (!auth.settings.providers.customEnabled) throw new UnsupportedProvider('custom OAuth providers are disabled')
  const custom = await auth.transact((tx) => findCustomProvider(tx, identifier), { readOnly: true })
  if (!custom) throw new UnsupportedProvider(`custom provider ${identifier.slice(0, 100)} not found`)
  if (!custom.enabled) throw new UnsupportedProvider(`custom provider ${identifier} is disabled`)
  return custom
}

/**
 * A provider that an administrator added, ready to be used.
 *
 * @param scopes in place of its own, with blanks.
 * @throws UnsupportedProvider
 */
export async function openCustom(auth: Auth, identifier: string, scopes: string): Promise<Provider> {
  const custom = await requireCustom(auth, identifier)
  const asked = scopes.split(/\s+/).filter((scope) => scope !== '')
  const common = {
    name: identifier,
    clientId: custom.clientId,
    secret: custom.clientSecret,
    redirectUri: `${auth.settings.externalUrl}/callback`,
    params: textsOf(custom.authorizationParams),
    emailOptional: custom.emailOptional,
    reach: 'public' as const,
  }
  const wanted = asked.length > 0 ? asked : custom.scopes
  if (custom.kind === 'oauth2') {
    const { authorizationUrl, tokenUrl, userinfoUrl } = custom
    if (!authorizationUrl || !tokenUrl || !userinfoUrl) throw new UnsupportedProvider(`OAuth2 provider ${identifier} missing required endpoints`)
    return {
      ...common,
      scopes: wanted,
      authorizationEndpoint: authorizationUrl,
      tokenEndpoint: tokenUrl,
      clientAuth: 'post',
      usesPkce: custom.pkceEnabled,
      usesNonce: false,
      namesIssuer: false,
      read: (ask) => readUserinfo(ask, userinfoUrl, custom),
    }
  }
  if (!custom.issuer) throw new UnsupportedProvider(`OIDC provider ${identifier} missing issuer`)
  const metadata = await auth.issuers.find(auth.outbound('public'), custom.issuer, discoveryUrlOf(custom))
  return {
    ...common,
    ...discoveredFacts(metadata),
    scopes: wanted.includes('openid') ? wanted : ['openid', ...wanted],
    usesPkce: custom.pkceEnabled,
    usesNonce: true,
    read: readOpenId(auth, custom, metadata),
  }
}

/**
 * The issuer of a custom provider whose ID tokens are taken.
 *
 * @throws `validation_failed`, `provider_disabled` (400).
 */
export async function findCustomIssuer(auth: Auth, identifier: string): Promise<TrustedIssuer> {
  if (!auth.settings.providers.customEnabled) throw invalidRequest('Custom OAuth providers are disabled')
  const custom = await auth.transact((tx) => findCustomProvider(tx, identifier), { readOnly: true })
  const name = `"${identifier.slice(0, 100)}"`
  if (!custom) throw invalidRequest(`Custom provider ${name} not found`)
  if (!custom.enabled) throw authError('provider_disabled', { message: `Custom provider ${name} is disabled` })
  if (custom.kind !== 'oidc' || !custom.issuer) throw invalidRequest(`Provider ${name} is not an OIDC provider`)
  return {
    provider: identifier,
    issuer: custom.issuer,
    discoveryUrl: discoveryUrlOf(custom),
    audiences: [custom.clientId, ...custom.acceptableClientIds],
    skipNonceCheck: custom.skipNonceCheck,
    emailOptional: custom.emailOptional,
    reach: 'public',
  }
}
