import { recordAudit } from './audit-log.ts'
import type { Auth } from './auth.ts'
import type { Call } from './call.ts'
import { requireSignedIn } from './caller.ts'
import { invalidRequest } from './errors.ts'
import { deleteOtherSessions, deleteSession, deleteSessionsOf } from './sessions.queries.ts'

/**
 * `POST /logout?scope=global|local|others`: ends all sessions, this one, or all but this one. 204.
 *
 * @throws `validation_failed` (400) for another scope.
 * @see supabase/auth internal/api/logout.go
 */
export async function logOut(auth: Auth, call: Call): Promise<Response> {
  const { user, session } = await requireSignedIn(auth, call)
  const scope = call.query.get('scope') || 'global'
  if (!['global', 'local', 'others'].includes(scope)) throw invalidRequest(`Unsupported logout scope "${scope}"`)
  await auth.transact(async (tx) => {
    await recordAudit(auth, tx, { actor: user, action: 'logout' })
    if (session && scope === 'local') await deleteSession(tx, session.id)
    else if (session && scope === 'others') await deleteOtherSessions(tx, user.id, session.id)
    else await deleteSessionsOf(tx, user.id)
  })
  return new Response(null, { status: 204 })
}
