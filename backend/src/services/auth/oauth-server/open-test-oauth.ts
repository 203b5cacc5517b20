import { createHash, randomBytes } from 'node:crypto'

import type { OAuthClient } from '@supabase/supabase-js'
import * as openid from 'openid-client'
import { openTestAuth, signUpPerson, type TestAuth, type TestAuthOptions } from '#services/auth/open-test-auth.ts'
import { defaultAuthSettings } from '#services/auth/settings.ts'

export type Person = Awaited<ReturnType<typeof signUpPerson>>

/** The auth service of a project that is a provider of sign-in for other applications. */
export function openTestOAuth({ settings = {}, ...options }: TestAuthOptions = {}): Promise<TestAuth> {
  const oauthServer = { ...defaultAuthSettings.oauthServer, enabled: true, allowDynamicRegistration: true, ...settings.oauthServer }
  return openTestAuth({ ...options, settings: { ...settings, oauthServer } })
}

export const callback = 'https://shop.example/callback'

/** Registers an application as an administrator does. */
export async function registerClient(auth: TestAuth, given: Record<string, unknown> = {}): Promise<OAuthClient> {
  const { data, error } = await auth.admin().auth.admin.oauth.createClient({ client_name: 'Shop', redirect_uris: [callback], ...given } as never)
  if (!data) throw error ?? new Error('no client')
  return data
}

/** An OAuth library set up by what the server tells of itself. */
export function discover(auth: TestAuth, client: OAuthClient, proof?: openid.ClientAuth): Promise<openid.Configuration> {
  return openid.discovery(new URL('http://127.0.0.1:54321/auth/v1'), client.client_id, client.client_secret, proof, {
    execute: [openid.allowInsecureRequests],
    [openid.customFetch]: (url, init) => auth.fetch(url, init as RequestInit),
  })
}

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')

/** Asks `/oauth/authorize` with the given members over usual ones; gives the answer and the verifier that belongs to it. */
export async function askConsent(auth: TestAuth, client: OAuthClient, members: Record<string, string> = {}) {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: client.client_id,
    redirect_uri: callback,
    response_type: 'code',
    scope: 'openid email',
    state: 'a-state',
    code_challenge: challengeOf(verifier),
    code_challenge_method: 'S256',
    ...members,
  })
  const answer = await auth.ask(`/oauth/authorize?${query}`)
  const location = answer.headers.get('location')
  return { answer, verifier, location, authorizationId: location === null ? '' : (new URL(location).searchParams.get('authorization_id') ?? '') }
}

/** Who lets which application have what the members of its request ask for. */
export interface Approval {
  person: Person
  client: OAuthClient
  members?: Record<string, string>
}

/** A code the person approved. */
export async function approve(auth: TestAuth, { person, client, members = {} }: Approval) {
  const { authorizationId, verifier } = await askConsent(auth, client, members)
  const looked = await person.client.auth.oauth.getAuthorizationDetails(authorizationId)
  const known = looked.data && 'redirect_url' in looked.data ? looked.data.redirect_url : undefined
  const approved = known ?? (await person.client.auth.oauth.approveAuthorization(authorizationId, { skipBrowserRedirect: true })).data?.redirect_url
  if (!approved) throw looked.error ?? new Error('not approved')
  const code = new URL(approved).searchParams.get('code') ?? ''
  return { code, verifier, redirectUrl: approved, authorizationId, wasKnown: known !== undefined }
}

export interface Tokens {
  access_token: string
  refresh_token: string
  id_token?: string
  expires_in: number
  token_type: string
}

/** Asks `/oauth/token` with a form. */
export async function askToken(auth: TestAuth, form: Record<string, string>, headers: Record<string, string> = {}) {
  const answer = await auth.ask('/oauth/token', {
    method: 'POST',
    body: new URLSearchParams(form).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  })
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Partial<Tokens> & Record<string, unknown> }
}

export const basic = (client: OAuthClient, secret = client.client_secret ?? ''): Record<string, string> => ({
  authorization: `Basic ${Buffer.from(`${client.client_id}:${secret}`).toString('base64')}`,
})

/** Tokens an application got for a code of the person. */
export async function grantTo(auth: TestAuth, approval: Approval): Promise<Tokens> {
  const { client } = approval
  const { code, verifier } = await approve(auth, approval)
  const isPublic = client.token_endpoint_auth_method === 'none'
  const form = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: callback, ...(isPublic ? { client_id: client.client_id } : {}) }
  const { status, body } = await askToken(auth, form, isPublic ? {} : basic(client))
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body as Tokens
}

/** The claims of a JWT, unchecked. */
export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>
