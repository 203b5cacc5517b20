import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import type { Call } from './call.ts'
import { requireSignedInOrClient } from './caller.ts'
import { invalidRequest } from './errors.ts'
import { deleteOtherSessions, deleteSession, deleteSessionsOf } from './sessions.queries.ts'

/**
 * `POST /logout?scope=global|local|others`: ends all sessions, this one, or all but this one. 204.
 * An application ends its own session, whatever it asks for.
 *
 * @throws `validation_failed` (400) for another scope.
 * @see supabase/auth internal/api/logout.go
 */
export async function logOut(auth: Auth, call: Call): Promise<Response> {
  const { user, session } = await requireSignedInOrClient(auth, call)
  const asked = call.query.get('scope') || 'global'
  if (!['global', 'local', 'others'].includes(asked)) throw invalidRequest(`Unsupported logout scope "${asked}"`)
  const scope = session?.oauthClientId ? 'local' : asked
  await auth.transact(async (tx) => {
    await recordAudit(auth, tx, { actor: user, action: 'logout' })
    if (session && scope === 'local') await deleteSession(tx, session.id)
    else if (session && scope === 'others') await deleteOtherSessions(tx, user.id, session.id)
    else await deleteSessionsOf(tx, user.id)
  })
  return new Response(null, { status: 204 })
}
