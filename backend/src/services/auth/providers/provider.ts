import type { Auth } from '#services/auth/auth.ts'

import { codeProviders, type Asker, type At, type ProviderFacts, type ProviderTokens } from './catalogue.ts'
import { isAzureCustomerIssuer, isAzureIssuer, readIdTokenProfile, readStandardClaims } from './id-token-profiles.ts'
import { issuerOf, readIdToken } from './id-tokens.ts'
import type { IssuerMetadata } from './issuers.ts'
import { moreProviders } from './more-providers.ts'
import type { Reach } from '#services/auth/outbound.ts'
import type { Profile } from './profile.ts'
import type { ExternalProvider } from './provider-settings.ts'

/** A provider that people can be sent to. */
export interface Provider {
  name: string
  clientId: string
  secret: string
  redirectUri: string
  scopes: readonly string[]
  authorizationEndpoint: string
  tokenEndpoint: string
  clientAuth: 'basic' | 'post'
  usesPkce: boolean
  /** The nonce that is asked with is looked for in the ID token. */
  usesNonce: boolean
  params: Readonly<Record<string, string>>
  /** Said by OpenID providers; an answer that names another one is refused. */
  issuer?: string
  /** Answers that name no issuer are refused too. */
  namesIssuer: boolean
  emailOptional: boolean
  reach: Reach
  /** @param nonce what the ID token must hold; left out where none was sent. @throws Error when the answer cannot be believed. */
  read(ask: Asker, nonce: string | undefined): Promise<Profile>
}

/** A provider that cannot be used, in the hosted backend's words. */
export class UnsupportedProvider extends Error {
  constructor(why: string, options?: ErrorOptions) {
    super(why, options)
    this.name = 'UnsupportedProvider'
  }
}

const catalogue: Readonly<Record<string, (at: At) => ProviderFacts>> = { ...codeProviders, ...moreProviders }

/** Names that may stand in `[auth.external.*]`. `local` is the local identity provider itself. */
export const isKnownProvider = (name: string): boolean => name === 'local' || Object.hasOwn(catalogue, name)

const atOf =
  (url: string): At =>
  (usualHost) =>
    url === '' ? `https://${usualHost}` : url.replace(/\/$/, '')

/** What every configured provider has, whatever it is. */
export function commonFacts(auth: Auth, name: string, settings: ExternalProvider) {
  return {
    name,
    clientId: settings.clientIds[0] ?? '',
    secret: settings.secret,
    redirectUri: settings.redirectUri === '' ? `${auth.settings.externalUrl}/callback` : settings.redirectUri,
    emailOptional: settings.emailOptional,
    reach: 'anywhere' as Reach,
  }
}

/** What an OpenID provider says about itself, put to use. */
export function discoveredFacts(metadata: IssuerMetadata): Pick<Provider, 'authorizationEndpoint' | 'tokenEndpoint' | 'clientAuth' | 'usesPkce' | 'issuer' | 'namesIssuer'> {
  const { authorization_endpoint: authorizationEndpoint, token_endpoint: tokenEndpoint } = metadata
  if (!authorizationEndpoint || !tokenEndpoint) throw new UnsupportedProvider('the provider names no endpoints')
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
  return {
    authorizationEndpoint,
    tokenEndpoint,
    clientAuth: methods.includes('client_secret_post') ? 'post' : 'basic',
    usesPkce: metadata.code_challenge_methods_supported?.includes('S256') ?? false,
    issuer: metadata.issuer,
    namesIssuer: metadata.authorization_response_iss_parameter_supported === true,
  }
}

/** Reads a person by the ID token of an issuer that is known by its metadata. */
export async function readByIdToken(auth: Auth, provider: { clientId: string; reach: Reach; metadata: IssuerMetadata }, asked: { tokens: ProviderTokens; nonce: string | undefined }): Promise<Profile> {
  const { metadata, reach } = provider
  if (asked.tokens.idToken === '' || !metadata.jwks_uri) throw new Error('no ID token present in the answer')
  const claims = await readIdToken(asked.tokens.idToken, {
    issuer: metadata.issuer,
    keys: auth.issuers.keysOf(auth.outbound(reach), metadata.jwks_uri),
    audiences: [provider.clientId],
    accessToken: asked.tokens.accessToken,
    now: auth.now(),
    ...(asked.nonce === undefined ? {} : { nonce: asked.nonce }),
  })
  return readIdTokenProfile(claims)
}

// Each tenant of Microsoft is an issuer of its own. A project that names a tenant takes that one's people alone.
async function readAzure(auth: Auth, provider: { clientId: string; expected: string }, asked: { tokens: ProviderTokens; nonce: string | undefined }): Promise<Profile> {
  const issuer = issuerOf(asked.tokens.idToken)
  const isOneTenant = (isAzureIssuer(provider.expected) || isAzureCustomerIssuer(provider.expected)) && !/\/(?:common|organizations|consumers)\/v2\.0$/.test(provider.expected)
  const isAllowed = isOneTenant ? issuer === provider.expected : isAzureIssuer(issuer)
  if (!isAllowed) throw new Error(`azure: ID token issuer not valid "${issuer.slice(0, 200)}"`)
  const metadata = await auth.issuers.find(auth.outbound('anywhere'), issuer)
  return readByIdToken(auth, { ...provider, metadata, reach: 'anywhere' }, asked)
}

const withScopes = (usual: readonly string[], asked: string): string[] => [...usual, ...asked.split(',').filter((scope) => scope !== '')]

async function openLocal(auth: Auth, name: string, settings: ExternalProvider): Promise<Provider> {
  const { localIssuer } = auth.settings.providers
  if (localIssuer === undefined) throw new UnsupportedProvider('provider is not enabled')
  const metadata = await auth.issuers.find(auth.outbound('anywhere'), localIssuer)
  const common = commonFacts(auth, name, settings)
  return {
    ...common,
    ...discoveredFacts(metadata),
    scopes: ['openid', 'email', 'profile'],
    usesNonce: true,
    params: {},
    read: (ask, nonce) => readByIdToken(auth, { clientId: common.clientId, reach: 'anywhere', metadata }, { tokens: ask.tokens, nonce }),
  }
}

async function openByIdToken(auth: Auth, common: ReturnType<typeof commonFacts>, facts: ProviderFacts & { issuer: string }): Promise<Provider> {
  const isAzure = common.name === 'azure'
  const metadata = isAzure ? undefined : await auth.issuers.find(auth.outbound('anywhere'), facts.issuer)
  return {
    ...common,
    authorizationEndpoint: facts.authorize || (metadata?.authorization_endpoint ?? ''),
    tokenEndpoint: facts.token || (metadata?.token_endpoint ?? ''),
    clientAuth: facts.clientAuth ?? 'post',
    usesPkce: facts.pkce ?? false,
    usesNonce: true,
    scopes: facts.scopes,
    params: facts.params ?? {},
    ...(metadata ? { issuer: metadata.issuer } : {}),
    namesIssuer: false,
    read: (ask, nonce) =>
      metadata
        ? readByIdToken(auth, { ...common, metadata }, { tokens: ask.tokens, nonce })
        : readAzure(auth, { clientId: common.clientId, expected: facts.issuer }, { tokens: ask.tokens, nonce }),
  }
}

/**
 * A provider of `[auth.external.*]`, ready to be used.
 *
 * @param scopes asked for besides its own, with commas.
 * @throws UnsupportedProvider
 */
export async function openConfigured(auth: Auth, name: string, scopes: string): Promise<Provider> {
  const settings = Object.hasOwn(auth.settings.providers.external, name) ? auth.settings.providers.external[name] : undefined
  if (!isKnownProvider(name)) throw new UnsupportedProvider(`Provider ${name} could not be found`)
  if (!settings) throw new UnsupportedProvider('provider is not enabled')
  const common = commonFacts(auth, name, settings)
  if (common.clientId === '') throw new UnsupportedProvider('missing OAuth client ID')
  if (settings.isLocal) {
    const local = await openLocal(auth, name, settings)
    return { ...local, scopes: withScopes(local.scopes, scopes) }
  }
  if (settings.secret === '') throw new UnsupportedProvider('missing OAuth secret')
  if (name === 'keycloak' && settings.url === '') throw new UnsupportedProvider('unable to find URL for the Keycloak provider')
  const facts = catalogue[name]?.(atOf(settings.url))
  if (!facts) throw new UnsupportedProvider(`Provider ${name} could not be found`)
  const asked = { ...facts, scopes: withScopes(facts.scopes, scopes) }
  const { issuer, read } = asked
  if (issuer !== undefined) return openByIdToken(auth, common, { ...asked, issuer })
  return {
    ...common,
    authorizationEndpoint: asked.authorize,
    tokenEndpoint: asked.token,
    clientAuth: asked.clientAuth ?? 'post',
    usesPkce: asked.pkce ?? false,
    usesNonce: false,
    namesIssuer: false,
    scopes: asked.scopes,
    params: {},
    read: (ask) => (read ? read(ask) : Promise.resolve(readStandardClaims({}))),
  }
}
