import type { Transaction } from '#database/database.ts'

import { recordAudit, type Actor } from './audit-log.ts'
import type { Auth } from './auth.ts'
import { readBody, reply, type Call } from './call.ts'
import { requireAdmin } from './caller.ts'
import { readEmail } from './email-address.ts'
import { authError } from './errors.ts'
import { prepareLink, sendDue, type DueLetter } from './letters.ts'
import { addOwnIdentity, createUser, reloadUser } from './new-user.ts'
import { isConfirmed, userBody, type User } from './user.ts'
import { findUserByEmail } from './users.queries.ts'
import { inviteBody } from './wire.ts'

/** The person an invitation is for, added without a password when they are new. @throws `email_exists` (422) when they have confirmed. */
export async function findOrInvite(
  auth: Auth,
  tx: Transaction,
  asked: { email: string; data: Readonly<Record<string, unknown>>; actor: Actor },
): Promise<User> {
  const found = await findUserByEmail(tx, asked.email)
  if (found && isConfirmed(found)) throw authError('email_exists')
  const person = { provider: 'email', email: asked.email, encryptedPassword: '', data: asked.data } as const
  const user = found ?? (await addOwnIdentity(auth, tx, { user: await createUser(auth, tx, person), provider: 'email' }))
  await recordAudit(auth, tx, { actor: asked.actor, action: 'user_invited', traits: { user_id: user.id, user_email: user.email } })
  return user
}

/** `POST /invite`: adds a person and mails them a link to come in by. @see supabase/auth internal/api/invite.go */
export async function invite(auth: Auth, call: Call): Promise<Response> {
  const actor = await requireAdmin(auth, call)
  const given = await readBody(call, inviteBody)
  const email = readEmail(given.email)
  const redirectTo = auth.redirects.choose(call.request)
  const done = await auth.transact(async (tx): Promise<{ user: User; due: DueLetter }> => {
    const user = await findOrInvite(auth, tx, { email, data: given.data ?? {}, actor })
    const due = await prepareLink(auth, tx, { user, type: 'invite', redirectTo, challenge: undefined })
    return { due, user: await reloadUser(tx, user.id) }
  })
  await sendDue(auth, [done.due])
  return reply(call, userBody(done.user))
}
