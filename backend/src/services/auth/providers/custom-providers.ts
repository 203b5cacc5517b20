import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

import { DatabaseError } from '#database/database-error.ts'
import { isInsideAddress } from '#database/extensions/outside-address.ts'

import type { Auth } from '#services/auth/auth.ts'
import { readBody, reply, type Call } from '#services/auth/call.ts'
import { requireAdmin } from '#services/auth/caller.ts'
import { authError, databaseFailure, invalidRequest } from '#services/auth/errors.ts'
import { isoMoment } from '#services/auth/moments.ts'

import { discoveryUrlOf } from './custom-provider.ts'
import {
  countCustomProviders, deleteCustomProvider, findCustomProvider, insertCustomProvider, listCustomProviders, updateCustomProvider, type CustomProvider,
} from './custom-providers.queries.ts'
import { reservedParams } from './exchange.ts'
import { customProviderBody, type CustomProviderParams } from './wire.ts'

const given = <T>(name: string, value: T | null): Record<string, T> => (value === null ? {} : { [name]: value })

/** A provider as administrators see it: never with its secret. @see supabase/auth internal/models/custom_oauth_provider.go */
const customProviderReply = (one: CustomProvider): Record<string, unknown> => ({
  id: one.id,
  provider_type: one.kind,
  identifier: one.identifier,
  name: one.name,
  client_id: one.clientId,
  acceptable_client_ids: one.acceptableClientIds,
  scopes: one.scopes,
  pkce_enabled: one.pkceEnabled,
  attribute_mapping: one.attributeMapping,
  custom_claims_allowlist: one.customClaims,
  authorization_params: one.authorizationParams,
  enabled: one.enabled,
  email_optional: one.emailOptional,
  ...given('issuer', one.issuer),
  ...given('discovery_url', one.discoveryUrl),
  skip_nonce_check: one.skipNonceCheck,
  ...given('discovery_document', one.discovery),
  ...given('authorization_url', one.authorizationUrl),
  ...given('token_url', one.tokenUrl),
  ...given('userinfo_url', one.userinfoUrl),
  ...given('jwks_uri', one.jwksUri),
  created_at: isoMoment(one.createdAt),
  updated_at: isoMoment(one.updatedAt),
})

async function requireAdministrator(auth: Auth, call: Call): Promise<void> {
  await requireAdmin(auth, call)
  if (!auth.settings.providers.customEnabled) throw authError('feature_disabled', { message: 'Custom OAuth providers are disabled' })
}

/** What a provider may not be told to say about a person: the service's own facts. */
const protectedFields = new Set([
  'id', 'aud', 'role', 'app_metadata', 'created_at', 'updated_at', 'confirmed_at', 'email_confirmed_at', 'phone_confirmed_at',
  'email_verified', 'phone_verified', 'banned_until', 'is_super_admin',
])

function requireHarmless({ authorization_params: params, attribute_mapping: mapping, custom_claims_allowlist: claims }: CustomProviderParams): void {
  for (const [name, value] of Object.entries(params ?? {})) {
    if (reservedParams.has(name.toLowerCase())) throw invalidRequest(`Cannot override reserved OAuth parameter: ${name}`)
    if (typeof value !== 'string') throw invalidRequest(`Authorization parameter "${name}" must be a string`)
  }
  const forbidden = Object.keys(mapping ?? {}).find((name) => protectedFields.has(name))
  if (forbidden !== undefined) throw invalidRequest(`Cannot map to protected system field: ${forbidden}`)
  if (claims?.some((name) => name.trim() === '') === true) throw invalidRequest('custom_claims_allowlist entries must be non-empty strings')
}

const requiredOf = (params: CustomProviderParams): [string, string][] => [
  ['name', 'name is required'],
  ['client_id', 'client_id is required'],
  ['client_secret', 'client_secret is required'],
  ...(params.provider_type === 'oidc'
    ? [['issuer', 'issuer is required for OIDC providers'] as [string, string]]
    : ['authorization_url', 'token_url', 'userinfo_url'].map((name): [string, string] => [name, `${name} is required for OAuth2 providers`])),
]

function requireWhole(params: CustomProviderParams): void {
  const { provider_type: kind, identifier } = params
  if (kind !== 'oauth2' && kind !== 'oidc') throw invalidRequest("provider_type must be either 'oauth2' or 'oidc'")
  if (identifier === '') throw invalidRequest('identifier is required')
  requireCustomPrefix(identifier)
  const missing = requiredOf(params).find(([name]) => params[name as keyof CustomProviderParams] === '')
  if (missing) throw invalidRequest(missing[1])
}

function requireCustomPrefix(identifier: string): void {
  if (!identifier.startsWith('custom:')) throw invalidRequest(`identifier must start with 'custom:' prefix, e.g. 'custom:${identifier}'`)
}

/**
 * Lets addresses pass that lead out of this network. The same is looked at again for each request, at the address that is connected to.
 *
 * @throws `validation_failed` (400). @see supabase/auth internal/utilities/url_validator.go
 */
async function requireOutsideUrl(auth: Auth, address: string): Promise<void> {
  if (!URL.canParse(address)) throw invalidRequest('Invalid URL format')
  const { protocol, hostname } = new URL(address)
  if (protocol !== 'https:') throw invalidRequest('URL must use HTTPS')
  const host = hostname.replace(/^\[|\]$/g, '')
  if (host === 'localhost' || host.endsWith('.localhost')) throw invalidRequest('URL cannot point to localhost or loopback addresses')
  if (!auth.resolvesNames && isIP(host) === 0) return
  const found = isIP(host) === 0 ? await lookup(host, { all: true }).catch(() => []) : [{ address: host }]
  if (found.length === 0) throw invalidRequest('Unable to resolve hostname')
  if (found.some((one) => isInsideAddress(one.address))) throw invalidRequest('URL cannot resolve to private network addresses')
}

const urlsOf = (one: CustomProvider): string[] =>
  [one.issuer, one.discoveryUrl, one.authorizationUrl, one.tokenUrl, one.userinfoUrl, one.jwksUri].filter((url): url is string => Boolean(url))

const withOpenId = (kind: string, scopes: readonly string[]): string[] => (kind === 'oidc' && !scopes.includes('openid') ? ['openid', ...scopes] : [...scopes])

const changed = (text: string, before: string | null): string | null => (text === '' ? before : text)

/** A provider as it is once the parameters are applied. */
function applied(before: CustomProvider, params: CustomProviderParams): CustomProvider {
  const isOpenId = before.kind === 'oidc'
  return {
    ...before,
    name: params.name || before.name,
    clientId: params.client_id || before.clientId,
    clientSecret: params.client_secret || before.clientSecret,
    acceptableClientIds: params.acceptable_client_ids ?? before.acceptableClientIds,
    scopes: withOpenId(before.kind, params.scopes ?? before.scopes),
    pkceEnabled: params.pkce_enabled ?? before.pkceEnabled,
    attributeMapping: params.attribute_mapping ?? before.attributeMapping,
    customClaims: params.custom_claims_allowlist ?? before.customClaims,
    authorizationParams: params.authorization_params ?? before.authorizationParams,
    enabled: params.enabled ?? before.enabled,
    emailOptional: params.email_optional ?? before.emailOptional,
    issuer: isOpenId ? changed(params.issuer, before.issuer) : null,
    discoveryUrl: isOpenId ? changed(params.discovery_url ?? '', before.discoveryUrl) : null,
    skipNonceCheck: isOpenId && (params.skip_nonce_check ?? before.skipNonceCheck),
    authorizationUrl: isOpenId ? null : changed(params.authorization_url, before.authorizationUrl),
    tokenUrl: isOpenId ? null : changed(params.token_url, before.tokenUrl),
    userinfoUrl: isOpenId ? null : changed(params.userinfo_url, before.userinfoUrl),
    jwksUri: isOpenId ? null : changed(params.jwks_uri ?? '', before.jwksUri),
  }
}

const blank = (auth: Auth, params: CustomProviderParams): CustomProvider => ({
  id: auth.random.uuid(),
  kind: params.provider_type as CustomProvider['kind'],
  identifier: params.identifier,
  name: '',
  clientId: '',
  clientSecret: '',
  acceptableClientIds: [],
  scopes: [],
  pkceEnabled: true,
  attributeMapping: {},
  customClaims: [],
  authorizationParams: {},
  enabled: true,
  emailOptional: false,
  issuer: null,
  discoveryUrl: null,
  skipNonceCheck: false,
  discovery: null,
  authorizationUrl: null,
  tokenUrl: null,
  userinfoUrl: null,
  jwksUri: null,
  createdAt: auth.now().toISOString(),
  updatedAt: auth.now().toISOString(),
})

const keptOfDiscovery = [
  'issuer', 'authorization_endpoint', 'token_endpoint', 'userinfo_endpoint', 'jwks_uri', 'scopes_supported', 'response_types_supported',
  'grant_types_supported', 'subject_types_supported',
]

/** Asks an OpenID provider what it is, so that a mistake is told now and not to the first who signs in. @throws `validation_failed` (400). */
async function discovered(auth: Auth, one: CustomProvider): Promise<Record<string, unknown> | null> {
  if (one.kind !== 'oidc' || one.issuer === null) return null
  auth.issuers.forget(one.issuer)
  let found: Record<string, unknown>
  try {
    found = { ...(await auth.issuers.find(auth.outbound('public'), one.issuer, discoveryUrlOf(one))) }
  } catch (error) {
    throw invalidRequest(`OIDC discovery from "${discoveryUrlOf(one)}" failed: ${error instanceof Error ? error.message : 'unknown'}`)
  }
  const missing = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'].filter((name) => typeof found[name] !== 'string')
  if (missing.length > 0) throw invalidRequest(`OIDC discovery document is missing required fields: ${missing.join(', ')}`)
  return Object.fromEntries(keptOfDiscovery.filter((name) => found[name] !== undefined).map((name) => [name, found[name]]))
}

// The table itself bounds lengths and spellings; what it refuses is the administrator's mistake.
async function written(work: () => Promise<unknown>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error
    if (error.sqlstate === '23505') throw authError('conflict', { status: 400, message: 'A custom OAuth provider with this identifier already exists' })
    if (error.sqlstate === '23514') throw invalidRequest(`Invalid value: ${(error.facts.constraint ?? '').replace('custom_oauth_providers_', '').replaceAll('_', ' ')}`)
    throw databaseFailure('Error saving custom OAuth provider', error)
  }
}

async function requireRoom(auth: Auth, identifier: string): Promise<void> {
  const { total, existing } = await auth.transact(
    async (tx) => ({ total: await countCustomProviders(tx), existing: await findCustomProvider(tx, identifier) }),
    { readOnly: true },
  )
  const { mostCustom } = auth.settings.providers
  if (mostCustom > 0 && total >= mostCustom) throw authError('over_custom_provider_quota', { message: 'Maximum number of custom OAuth/OIDC providers reached' })
  if (existing) throw authError('conflict', { status: 400, message: 'A custom OAuth provider with this identifier already exists' })
}

/** `POST /admin/custom-providers`. @throws `validation_failed`, `over_custom_provider_quota`, `conflict` (400). */
export async function createCustomProvider(auth: Auth, call: Call): Promise<Response> {
  await requireAdministrator(auth, call)
  const params = await readBody(call, customProviderBody)
  requireWhole(params)
  requireHarmless(params)
  await requireRoom(auth, params.identifier)
  const made = applied(blank(auth, params), params)
  for (const url of urlsOf(made)) await requireOutsideUrl(auth, url)
  const whole = { ...made, discovery: await discovered(auth, made) }
  await written(() => auth.transact((tx) => insertCustomProvider(tx, whole, auth.now())))
  return reply(call, customProviderReply(whole), { status: 201 })
}

async function requireProvider(auth: Auth, call: Call): Promise<CustomProvider> {
  const identifier = decodeURIComponent(call.params.identifier ?? '')
  requireCustomPrefix(identifier)
  const found = await auth.transact((tx) => findCustomProvider(tx, identifier), { readOnly: true })
  if (!found) throw authError('custom_provider_not_found', { message: 'Custom OAuth provider not found' })
  return found
}

/** `GET /admin/custom-providers`, newest first; `?type=oidc` or `?type=oauth2` for one kind. */
export async function getCustomProviders(auth: Auth, call: Call): Promise<Response> {
  await requireAdministrator(auth, call)
  const kind = call.query.get('type') ?? ''
  if (!['', 'oauth2', 'oidc'].includes(kind)) throw invalidRequest("type must be either 'oauth2' or 'oidc'")
  const found = await auth.transact((tx) => listCustomProviders(tx, kind), { readOnly: true })
  return reply(call, { providers: found.map(customProviderReply) })
}

/** `GET /admin/custom-providers/{identifier}`. @throws `custom_provider_not_found` (404). */
export async function getCustomProvider(auth: Auth, call: Call): Promise<Response> {
  await requireAdministrator(auth, call)
  return reply(call, customProviderReply(await requireProvider(auth, call)))
}

/** `PUT /admin/custom-providers/{identifier}`: changes what is given; kind and identifier stay. */
export async function changeCustomProvider(auth: Auth, call: Call): Promise<Response> {
  await requireAdministrator(auth, call)
  const params = await readBody(call, customProviderBody)
  requireHarmless(params)
  const before = await requireProvider(auth, call)
  const after = applied(before, params)
  for (const url of urlsOf(after)) if (!urlsOf(before).includes(url)) await requireOutsideUrl(auth, url)
  const isElsewhere = params.issuer !== '' || params.discovery_url !== undefined
  const whole = { ...after, discovery: isElsewhere ? await discovered(auth, after) : before.discovery, updatedAt: auth.now().toISOString() }
  if (before.issuer !== null) auth.issuers.forget(before.issuer)
  await written(() => auth.transact((tx) => updateCustomProvider(tx, whole, auth.now())))
  return reply(call, customProviderReply(whole))
}

/** `DELETE /admin/custom-providers/{identifier}`. Identities of its people stay. */
export async function removeCustomProvider(auth: Auth, call: Call): Promise<Response> {
  await requireAdministrator(auth, call)
  const found = await requireProvider(auth, call)
  await auth.transact((tx) => deleteCustomProvider(tx, found.id))
  if (found.issuer !== null) auth.issuers.forget(found.issuer)
  return new Response(null, { status: 204 })
}
