import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { reply, type Call } from '#services/auth/call.ts'
import { requireSignedIn } from '#services/auth/caller.ts'
import { isUuid } from '#services/auth/codes.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import { isoMoment } from '#services/auth/moments.ts'

import { endAccess, listGrants, revokeConsent } from './consents.queries.ts'
import { readScopes } from './scopes.ts'
import { requireServed } from './served.ts'

/**
 * `GET /user/oauth/grants`: the applications a person let in, the newest first.
 *
 * @see supabase/auth internal/api/oauthserver/handlers.go, `UserListOAuthGrants`
 */
export async function answerGrants(auth: Auth, call: Call): Promise<Response> {
  const { user } = await requireSignedIn(auth, call)
  requireServed(auth)
  const grants = await auth.transact((tx) => listGrants(tx, user.id), { readOnly: true })
  return reply(
    call,
    grants.map(({ clientId, name, uri, logoUri, scopes, grantedAt }) => ({
      client: { id: clientId, ...(name ? { name } : {}), ...(uri ? { uri } : {}), ...(logoUri ? { logo_uri: logoUri } : {}) },
      scopes: readScopes(scopes),
      granted_at: isoMoment(grantedAt),
    })),
  )
}

/**
 * `DELETE /user/oauth/grants?client_id=`: takes back what a person let an application have, and ends its sessions. 204.
 *
 * @throws `oauth_consent_not_found` (404), `validation_failed` (400).
 * @see supabase/auth internal/api/oauthserver/handlers.go, `UserRevokeOAuthGrant`
 */
export async function revokeGrant(auth: Auth, call: Call): Promise<Response> {
  const { user } = await requireSignedIn(auth, call)
  requireServed(auth)
  const clientId = call.query.get('client_id') ?? ''
  if (clientId === '') throw invalidRequest('client_id query parameter is required')
  if (!isUuid(clientId)) throw invalidRequest('invalid client_id format')
  await auth.transact(async (tx) => {
    if (!(await revokeConsent(tx, { userId: user.id, clientId, at: auth.now() }))) throw authError('oauth_consent_not_found')
    await endAccess(tx, user.id, clientId)
    await recordAudit(auth, tx, { actor: user, action: 'token_revoked', traits: { oauth_client_id: clientId, action: 'revoke_oauth_grant' } })
  })
  return new Response(null, { status: 204 })
}
