import type { Transaction } from '#database/database.ts'
import type { Auth } from '#services/auth/auth.ts'
import { readBody, reply, type Call } from '#services/auth/call.ts'
import { requireSignedIn } from '#services/auth/caller.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import { momentMs } from '#services/auth/moments.ts'
import type { User } from '#services/auth/user.ts'

import {
  approveAuthorization,
  bindAuthorization,
  closeAuthorization,
  lockAuthorization,
  type Authorization,
} from './authorizations.queries.ts'
import { errorRedirect, passingHeaders } from './authorize.ts'
import { findClient, type OAuthClient } from './clients.queries.ts'
import { findConsentedScopes, upsertConsent } from './consents.queries.ts'
import { withQuery } from './redirect-uri.ts'
import { coversScopes, readScopes } from './scopes.ts'
import { consentBody } from './wire.ts'

/** A page of another site that holds a person's token still decides nothing. Programs and phones name no origin. */
function requireOrigin(auth: Auth, call: Call): void {
  const origin = call.request.headers.get('origin') ?? ''
  if (origin !== '' && !auth.redirects.isAllowed(origin)) throw invalidRequest('unauthorized request origin')
}

const notFound = () => authError('oauth_authorization_not_found')

type Open = { authorization: Authorization } | { isExpired: true }

// An expiry is written down and then told: an exception would take it back.
async function openAuthorization(auth: Auth, tx: Transaction, asked: { call: Call; user: User; ended: string }): Promise<Open> {
  const authorization = await lockAuthorization(tx, asked.call.params.authorization_id ?? '')
  // Asked before anything else: another person learns nothing of it, not even that it is over.
  if (!authorization || (authorization.userId !== null && authorization.userId !== asked.user.id)) throw notFound()
  const isExpired = auth.now().getTime() > momentMs(authorization.expiresAt)
  if (!isExpired && authorization.status === 'pending') return { authorization }
  if (!isExpired) throw invalidRequest(asked.ended)
  if (authorization.status === 'pending') await closeAuthorization(tx, authorization.id, 'expired')
  return { isExpired: true }
}

async function approve(auth: Auth, tx: Transaction, authorization: Authorization): Promise<string> {
  const code = auth.random.uuid()
  await approveAuthorization(tx, authorization.id, { code, at: auth.now() })
  return withQuery(authorization.redirectUri, { code, ...(authorization.state ? { state: authorization.state } : {}) })
}

const detailsBody = (authorization: Authorization, { client, user }: { client: OAuthClient; user: User }) => ({
  authorization_id: authorization.authorizationId,
  redirect_uri: authorization.redirectUri,
  client: {
    id: client.id,
    ...(client.name ? { name: client.name } : {}),
    ...(client.uri ? { uri: client.uri } : {}),
    ...(client.logoUri ? { logo_uri: client.logoUri } : {}),
  },
  user: { id: user.id, ...(user.email === '' ? {} : { email: user.email }) },
  scope: authorization.scope,
})

/** Binds a request to whoever looks at it first; one who consented to as much before has nothing to decide. */
async function look(auth: Auth, tx: Transaction, { call, user }: { call: Call; user: User }): Promise<Record<string, unknown> | undefined> {
  const opened = await openAuthorization(auth, tx, { call, user, ended: 'authorization request cannot be processed' })
  if ('isExpired' in opened) return undefined
  const { authorization } = opened
  const client = await findClient(tx, authorization.clientId)
  if (!client) throw notFound()
  if (authorization.userId === null) {
    await bindAuthorization(tx, authorization.id, user.id)
    const known = await findConsentedScopes(tx, user.id, client.id)
    if (known !== undefined && coversScopes(known, authorization.scope)) return { redirect_url: await approve(auth, tx, authorization) }
  }
  return detailsBody(authorization, { client, user })
}

/**
 * `GET /oauth/authorizations/{authorization_id}`: who asks for what; `{ redirect_url }` when the person has consented before.
 *
 * @throws `oauth_authorization_not_found` (404) for one that is unknown, expired or another person's; `validation_failed` (400) for one that is
 * decided, and for a page of another site.
 * @see supabase/auth internal/api/oauthserver/authorize.go, `OAuthServerGetAuthorization`
 */
export async function answerAuthorization(auth: Auth, call: Call): Promise<Response> {
  const { user } = await requireSignedIn(auth, call)
  requireOrigin(auth, call)
  const body = await auth.transact((tx) => look(auth, tx, { call, user }))
  if (!body) throw notFound()
  return reply(call, body, { headers: passingHeaders })
}

interface Decision {
  call: Call
  user: User
  isApproved: boolean
}

async function decide(auth: Auth, tx: Transaction, { call, user, isApproved }: Decision): Promise<string | undefined> {
  const opened = await openAuthorization(auth, tx, { call, user, ended: 'authorization request is no longer pending' })
  if ('isExpired' in opened) return undefined
  const { authorization } = opened
  if (authorization.userId === null) throw notFound()
  if (!isApproved) {
    await closeAuthorization(tx, authorization.id, 'denied')
    return errorRedirect(authorization, 'access_denied', 'User denied the request')
  }
  if (!(await findClient(tx, authorization.clientId))) throw notFound()
  const scopes = readScopes(authorization.scope).join(' ')
  await upsertConsent(tx, { id: auth.random.uuid(), userId: user.id, clientId: authorization.clientId, scopes, at: auth.now() })
  return approve(auth, tx, authorization)
}

/**
 * `POST /oauth/authorizations/{authorization_id}/consent`: the person's answer. `{ redirect_url }` leads back to the application.
 *
 * @throws as `answerAuthorization`; also where nobody has looked at the request before deciding.
 * @see supabase/auth internal/api/oauthserver/authorize.go, `OAuthServerConsent`
 */
export async function answerConsent(auth: Auth, call: Call): Promise<Response> {
  const { user } = await requireSignedIn(auth, call)
  requireOrigin(auth, call)
  const { action } = await readBody(call, consentBody)
  if (action !== 'approve' && action !== 'deny') throw invalidRequest("action must be 'approve' or 'deny'")
  const redirectUrl = await auth.transact((tx) => decide(auth, tx, { call, user, isApproved: action === 'approve' }))
  if (redirectUrl === undefined) throw notFound()
  return reply(call, { redirect_url: redirectUrl }, { headers: passingHeaders })
}
