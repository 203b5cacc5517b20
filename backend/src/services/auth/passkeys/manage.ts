import { recordAudit } from '#services/auth/audit-log.ts'
import type { Auth } from '#services/auth/auth.ts'
import { requireNamedUser } from '#services/auth/admin-users.ts'
import { readBody, reply, type Call } from '#services/auth/call.ts'
import { requireAdmin, requireOwnLevel, requireSignedIn } from '#services/auth/caller.ts'
import { isUuid } from '#services/auth/codes.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'

import { requirePasskeys } from './access.ts'
import { deletePasskey, findPasskey, listPasskeys, renamePasskey, type Passkey } from './passkeys.queries.ts'
import { passkeyBody, passkeyNameBody } from './wire.ts'

const notFound = () => authError('validation_failed', { status: 404, message: 'Passkey not found' })

async function requireNamedPasskey(auth: Auth, call: Call, userId: string): Promise<Passkey> {
  const id = call.params.passkey_id ?? ''
  const passkey = isUuid(id) ? await auth.transact((tx) => findPasskey(tx, userId, id), { readOnly: true }) : undefined
  if (!passkey) throw notFound()
  return passkey
}

/** `GET /passkeys`: one's own, oldest first. @see supabase/auth internal/api/passkey_manage.go */
export async function listOwnPasskeys(auth: Auth, call: Call): Promise<Response> {
  requirePasskeys(auth)
  const { user } = await requireSignedIn(auth, call)
  return reply(call, (await auth.transact((tx) => listPasskeys(tx, user.id), { readOnly: true })).map(passkeyBody))
}

/**
 * `PATCH /passkeys/{id}`: another name of at most 120 characters.
 *
 * @throws `validation_failed` (400; 404 for what is not one's own).
 */
export async function renameOwnPasskey(auth: Auth, call: Call): Promise<Response> {
  requirePasskeys(auth)
  const { user } = await requireSignedIn(auth, call)
  const { friendly_name: name } = await readBody(call, passkeyNameBody)
  if (name === '') throw invalidRequest('friendly_name is required')
  if (name.length > 120) throw invalidRequest('friendly_name must be 120 characters or less')
  const passkey = await requireNamedPasskey(auth, call, user.id)
  await auth.transact(async (tx) => {
    await renamePasskey(tx, passkey.id, { name, at: auth.now() })
    await recordAudit(auth, tx, { actor: user, action: 'passkey_updated', traits: { passkey_id: passkey.id } })
  })
  return reply(call, passkeyBody({ ...passkey, friendlyName: name }))
}

/** `DELETE /passkeys/{id}`: 204. @throws `insufficient_aal` (403), `validation_failed` (404). */
export async function deleteOwnPasskey(auth: Auth, call: Call): Promise<Response> {
  requirePasskeys(auth)
  const signedIn = await requireSignedIn(auth, call)
  requireOwnLevel(signedIn, 'manage passkeys')
  const { user } = signedIn
  const passkey = await requireNamedPasskey(auth, call, user.id)
  await auth.transact(async (tx) => {
    if (!(await deletePasskey(tx, user.id, passkey.id))) throw notFound()
    await recordAudit(auth, tx, { actor: user, action: 'passkey_deleted', traits: { passkey_id: passkey.id } })
  })
  return new Response(null, { status: 204 })
}

/** `GET /admin/users/{id}/passkeys`. @see supabase/auth internal/api/passkey_admin.go */
export async function listAdminPasskeys(auth: Auth, call: Call): Promise<Response> {
  await requireAdmin(auth, call)
  const user = await requireNamedUser(auth, call)
  return reply(call, (await auth.transact((tx) => listPasskeys(tx, user.id), { readOnly: true })).map(passkeyBody))
}

/** `DELETE /admin/users/{id}/passkeys/{pid}`: 204. */
export async function deleteAdminPasskey(auth: Auth, call: Call): Promise<Response> {
  const actor = await requireAdmin(auth, call)
  const user = await requireNamedUser(auth, call)
  const passkey = await requireNamedPasskey(auth, call, user.id)
  await auth.transact(async (tx) => {
    if (!(await deletePasskey(tx, user.id, passkey.id))) throw notFound()
    await recordAudit(auth, tx, { actor, action: 'passkey_deleted', traits: { user_id: user.id, passkey_id: passkey.id } })
  })
  return new Response(null, { status: 204 })
}
