import type { Auth } from '#services/auth/auth.ts'
import type { Call } from '#services/auth/call.ts'
import { isUuid } from '#services/auth/codes.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import type { PkceChallenge } from '#services/auth/pkce.ts'
import { DatabaseError } from '#database/database-error.ts'

import { insertAuthorization } from './authorizations.queries.ts'
import { findClient, type OAuthClient } from './clients.queries.ts'
import { withQuery } from './redirect-uri.ts'
import { isSupportedScope, readScopes } from './scopes.ts'

// The address an answer leads to carries codes and states: nobody keeps it, and the next page is not told of it.
export const passingHeaders = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

const redirect = (location: string): Response => new Response(null, { status: 302, headers: { location, ...passingHeaders } })

/** What an application is told through the browser when its request fails. */
export const errorRedirect = (to: { redirectUri: string; state: string | null }, error: string, description: string): string =>
  withQuery(to.redirectUri, { error, error_description: description, ...(to.state ? { state: to.state } : {}) })

/** The client and the address it may be answered at; until both are known, nobody is sent anywhere. */
async function readTrusted(auth: Auth, query: URLSearchParams): Promise<{ client: OAuthClient; redirectUri: string }> {
  const clientId = query.get('client_id') ?? ''
  const redirectUri = query.get('redirect_uri') ?? ''
  if (clientId === '') throw invalidRequest('client_id is required')
  if (redirectUri === '') throw invalidRequest('redirect_uri is required')
  if (!isUuid(clientId)) throw authError('oauth_client_not_found', { status: 400, message: 'invalid client_id format' })
  const client = await auth.transact((tx) => findClient(tx, clientId), { readOnly: true })
  if (!client) throw authError('oauth_client_not_found', { status: 400, message: 'invalid client_id' })
  // Compared letter by letter: a prefix, another port or another case is another address.
  if (!client.redirectUris.includes(redirectUri)) throw invalidRequest('invalid redirect_uri')
  return { client, redirectUri }
}

function scopeFault(auth: Auth, scope: string): string | undefined {
  const scopes = readScopes(scope)
  if (scopes.length === 0) return 'scope parameter cannot be empty'
  const unknown = scopes.find((one) => !isSupportedScope(one))
  if (unknown !== undefined) return `unsupported scope: ${unknown}`
  const needsKey = scopes.includes('openid') && auth.keys.signing.alg === 'HS256'
  return needsKey ? 'scope openid needs an asymmetric signing key' : undefined
}

/** @see RFC 8707, section 2 */
function resourceFault(resource: string): string | undefined {
  if (resource === '') return undefined
  if (!URL.canParse(resource)) return 'resource must be an absolute URI'
  if (resource.includes('#')) return 'resource must not include a fragment component'
  return resource.includes('?') ? 'resource must not include a query component' : undefined
}

function readChallenge(query: URLSearchParams): PkceChallenge | { fault: string } {
  const challenge = query.get('code_challenge') ?? ''
  const method = (query.get('code_challenge_method') ?? '').toLowerCase()
  if (challenge === '' || method === '') return { fault: 'PKCE flow requires both code_challenge and code_challenge_method' }
  if (method !== 's256' && method !== 'plain') return { fault: "code_challenge_method must be 'S256' or 'plain'" }
  if (challenge.length < 43 || challenge.length > 128) return { fault: 'code_challenge must be between 43 and 128 characters' }
  return { challenge, method }
}

interface Asked {
  scope: string
  resource: string
  nonce: string
  challenge: PkceChallenge
}

function readAsked(auth: Auth, query: URLSearchParams): Asked | { fault: string } {
  if ((query.get('response_type') || 'code') !== 'code') return { fault: 'only response_type=code is supported' }
  const scope = query.get('scope') || auth.settings.oauthServer.defaultScope
  const resource = query.get('resource') ?? ''
  const fault = scopeFault(auth, scope) ?? resourceFault(resource)
  if (fault !== undefined) return { fault }
  const challenge = readChallenge(query)
  return 'fault' in challenge ? challenge : { scope, resource, nonce: query.get('nonce') ?? '', challenge }
}

/** The page that asks the person. A path is one of the project's site; a whole address is taken as it is. */
function consentPage(auth: Auth, authorizationId: string): string {
  const path = auth.settings.oauthServer.authorizationPath
  const isWhole = /^https?:\/\//i.test(path)
  const page = isWhole ? path : `${auth.settings.siteUrl.replace(/\/+$/, '')}/${path.replace(/^\//, '')}`
  return `${page}?authorization_id=${authorizationId}`
}

/**
 * `GET /oauth/authorize`: an application asks for a person's consent; leads the browser to the project's consent page. 302.
 *
 * @throws `validation_failed`, `oauth_client_not_found` (400) while it is not known where an answer may go; every other
 * failure is told to the application through the browser.
 * @see supabase/auth internal/api/oauthserver/authorize.go, `OAuthServerAuthorize`
 */
export async function authorize(auth: Auth, call: Call): Promise<Response> {
  const { query } = call
  const { client, redirectUri } = await readTrusted(auth, query)
  const state = query.get('state') ?? ''
  const fail = (error: string, description: string) => redirect(errorRedirect({ redirectUri, state }, error, description))

  const asked = readAsked(auth, query)
  if ('fault' in asked) return fail('invalid_request', asked.fault)
  if (auth.settings.oauthServer.authorizationPath === '') return fail('server_error', 'oauth authorization path not configured')

  const at = auth.now()
  const expiresAt = new Date(at.getTime() + auth.settings.oauthServer.authorizationTtlSeconds * 1000)
  const authorizationId = auth.random.word(32)
  try {
    const id = auth.random.uuid()
    await auth.transact((tx) => insertAuthorization(tx, { id, authorizationId, clientId: client.id, redirectUri, state, ...asked, at, expiresAt }))
  } catch (error) {
    // A state or a nonce longer than the table takes, or with a character no text holds.
    if (error instanceof DatabaseError) return fail('server_error', 'error creating authorization')
    throw error
  }
  return redirect(consentPage(auth, authorizationId))
}
