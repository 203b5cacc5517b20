import { createHash } from 'node:crypto'

import * as oauth from 'oauth4webapi'

import type { Auth } from '#services/auth/auth.ts'
import { authError } from '#services/auth/errors.ts'

import type { ProviderTokens } from './catalogue.ts'
import { asFetch } from './issuers.ts'
import type { Outbound } from '#services/auth/outbound.ts'
import { identityOf, member, text, type ProvidedIdentity } from './profile.ts'
import type { Provider } from './provider.ts'

/** The nonce of a flow, made from its PKCE verifier so that one secret is kept for both. */
export const nonceOf = (verifier: string): string => createHash('sha256').update(`nonce:${verifier}`).digest('base64url')

export const newVerifier = (): string => oauth.generateRandomCodeVerifier()

/** Parameters the client of this service may not choose for the provider. @see supabase/auth internal/api/custom_oauth_admin.go, `reservedOAuthParams` */
export const reservedParams: ReadonlySet<string> = new Set([
  'client_id', 'client_secret', 'redirect_uri', 'response_type', 'state', 'code_challenge', 'code_challenge_method', 'code_verifier', 'nonce',
])

/** The address of the provider's page for one flow. */
export async function authorizationUrl(provider: Provider, flow: { state: string; verifier: string; params: Readonly<Record<string, string>> }): Promise<string> {
  const url = new URL(provider.authorizationEndpoint)
  const given: Record<string, string> = {
    ...flow.params,
    ...provider.params,
    client_id: provider.clientId,
    redirect_uri: provider.redirectUri,
    response_type: 'code',
    ...(provider.scopes.length > 0 ? { scope: provider.scopes.join(' ') } : {}),
    state: flow.state,
    ...(provider.usesNonce ? { nonce: nonceOf(flow.verifier) } : {}),
    ...(provider.usesPkce ? { code_challenge: await oauth.calculatePKCECodeChallenge(flow.verifier), code_challenge_method: 'S256' } : {}),
  }
  for (const [name, value] of Object.entries(given)) url.searchParams.set(name, value)
  // A plus sign is a blank to some and a plus to others.
  url.search = url.search.replaceAll('+', '%20')
  return url.href
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return Object.fromEntries(new URLSearchParams(body))
  }
}

// Providers answer in forms, with scopes as lists, errors as successes and token types of their own. What the library is shown is
// what the standard has; the rest is kept beside.
async function usualAnswer(response: Response): Promise<{ response: Response; answer: unknown }> {
  const answer = parsed(await response.text())
  const error = text(answer, 'error')
  const shown = error === ''
    ? { access_token: member(answer, 'access_token'), token_type: 'bearer' }
    : { error, error_description: text(answer, 'error_description') }
  const status = error === '' || response.status >= 400 ? response.status : 400
  return { answer, response: new Response(JSON.stringify(shown), { status, headers: { 'content-type': 'application/json' } }) }
}

const optionsOf = (outbound: Outbound) => ({ [oauth.customFetch]: asFetch(outbound), [oauth.allowInsecureRequests]: true })

/** Longest token that is kept and handed out, in characters. */
const longestToken = 32 * 1024

const tokenText = (answer: unknown, name: string): string => {
  const value = member(answer, name)
  return typeof value === 'string' && value.length <= longestToken ? value : ''
}

function clientAuthOf({ secret, clientAuth }: Provider): oauth.ClientAuth {
  // The local identity provider knows its clients by PKCE alone.
  if (secret === '') return oauth.None()
  return clientAuth === 'basic' ? oauth.ClientSecretBasic(secret) : oauth.ClientSecretPost(secret)
}

/**
 * Trades the code of a callback for the provider's tokens.
 *
 * @param params what the provider sent the browser back with.
 */
async function trade(auth: Auth, provider: Provider, callback: { params: URLSearchParams; state: string; verifier: string }): Promise<ProviderTokens> {
  const server: oauth.AuthorizationServer = {
    issuer: provider.issuer ?? new URL(provider.tokenEndpoint).origin,
    token_endpoint: provider.tokenEndpoint,
    authorization_response_iss_parameter_supported: provider.namesIssuer,
  }
  const params = new URLSearchParams(callback.params)
  // Only who is known by an issuer can be held to it.
  if (provider.issuer === undefined) params.delete('iss')
  params.delete('id_token')
  params.delete('token')
  const client: oauth.Client = { client_id: provider.clientId }
  const clientAuth = clientAuthOf(provider)
  const believed = oauth.validateAuthResponse(server, client, params, callback.state)
  const verifier = provider.usesPkce ? callback.verifier : oauth.nopkce
  const raw = await oauth.authorizationCodeGrantRequest(server, client, clientAuth, believed, provider.redirectUri, verifier, optionsOf(auth.outbound(provider.reach)))
  const { response, answer } = await usualAnswer(raw)
  const { access_token: accessToken } = await oauth.processGenericTokenEndpointResponse(server, client, response)
  if (accessToken.length > longestToken) throw new Error('the access token is too long')
  return { accessToken, refreshToken: tokenText(answer, 'refresh_token'), idToken: tokenText(answer, 'id_token'), answer }
}

async function askJson(outbound: Outbound, url: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const response = await outbound(url, { headers: { accept: 'application/json', 'user-agent': 'Portico', ...headers } })
  if (!response.ok) throw new Error(`${new URL(url).host} answered with ${response.status}`)
  return response.json()
}

/** What came of a person's visit to a provider. */
export interface Visit {
  identity: ProvidedIdentity
  tokens: ProviderTokens
}

// Apple tells a name once, beside the code, and not in the token.
function withAppleName(provider: Provider, profile: Awaited<ReturnType<Provider['read']>>, params: URLSearchParams) {
  const told = provider.name === 'apple' ? params.get('user') : null
  if (!told) return profile
  const name = `${text(parsed(told), 'name', 'firstName')} ${text(parsed(told), 'name', 'lastName')}`.trim()
  return { ...profile, claims: { ...profile.claims, name, full_name: name } }
}

// What a provider says is for the operator to read, without what it may have echoed.
function reasonOf(error: unknown, secrets: readonly string[]): string {
  const told = error instanceof oauth.ResponseBodyError ? `${error.error}: ${error.error_description ?? ''}` : error instanceof Error ? error.message : 'unknown'
  return secrets.filter((secret) => secret !== '').reduce((words, secret) => words.replaceAll(secret, '…'), told).slice(0, 500)
}

/**
 * Finds out who came back from a provider.
 *
 * @throws `unexpected_failure` (500) "Unable to exchange external code: …" or "Error getting user profile from external provider".
 */
export async function completeVisit(auth: Auth, provider: Provider, callback: { params: URLSearchParams; state: string; verifier: string }): Promise<Visit> {
  let tokens: ProviderTokens
  try {
    tokens = await trade(auth, provider, callback)
  } catch (error) {
    auth.logger.warn('a provider did not take its code', { provider: provider.name, reason: reasonOf(error, [provider.secret, callback.verifier, callback.params.get('code') ?? '']) })
    throw authError('unexpected_failure', { message: `Unable to exchange external code: ${(callback.params.get('code') ?? '').slice(0, 4)}` })
  }
  const outbound = auth.outbound(provider.reach)
  const bearer = { authorization: `Bearer ${tokens.accessToken}` }
  const nonce = provider.usesNonce ? nonceOf(callback.verifier) : undefined
  try {
    const ask = { tokens, clientId: provider.clientId, secret: provider.secret, get: (url: string, headers = {}) => askJson(outbound, url, { ...bearer, ...headers }) }
    const profile = await provider.read(ask, nonce)
    return { identity: identityOf(withAppleName(provider, profile, callback.params)), tokens }
  } catch (error) {
    auth.logger.warn('a provider did not tell who came', { provider: provider.name, reason: reasonOf(error, [provider.secret, tokens.accessToken, tokens.refreshToken]) })
    throw authError('unexpected_failure', { message: 'Error getting user profile from external provider' })
  }
}
