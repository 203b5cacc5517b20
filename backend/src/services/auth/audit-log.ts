import type { Transaction } from '#database/database.ts'

import { insertAuditEntry } from './audit-log.queries.ts'
import type { Auth } from './auth.ts'
import type { User } from './user.ts'

const logTypes = {
  login: 'account',
  logout: 'account',
  invite_accepted: 'account',
  user_signedup: 'team',
  user_invited: 'team',
  user_deleted: 'team',
  token_revoked: 'token',
  token_refreshed: 'token',
  user_modified: 'user',
  user_recovery_requested: 'user',
  user_reauthenticate_requested: 'user',
  user_confirmation_requested: 'user',
  user_repeated_signup: 'user',
  user_updated_password: 'user',
  identity_linked: 'user',
  identity_unlinked: 'user',
  factor_in_progress: 'factor',
  factor_unenrolled: 'factor',
  challenge_created: 'factor',
  verification_attempted: 'factor',
  factor_deleted: 'factor',
  factor_updated: 'factor',
  passkey_created: 'user',
  passkey_updated: 'user',
  passkey_deleted: 'user',
} as const

export type AuditAction = keyof typeof logTypes

/** Who did it: a person, or the holder of a secret key. */
export type Actor = Pick<User, 'id' | 'email' | 'phone' | 'isSsoUser' | 'userMetadata'>

const nobody = '00000000-0000-0000-0000-000000000000'

/** The holder of a secret key, as the hosted backend writes them down. */
export const adminActor = (role: string): Actor => ({ id: nobody, email: role, phone: '', isSsoUser: false, userMetadata: {} })

/**
 * Writes down who did what.
 *
 * @see supabase/auth internal/models/audit_log_entry.go, `NewAuditLogEntry`
 */
export function recordAudit(
  auth: Auth,
  tx: Transaction,
  entry: { actor: Actor; action: AuditAction; traits?: Readonly<Record<string, unknown>> },
): Promise<number> {
  const { actor, action, traits } = entry
  const payload = {
    action,
    actor_id: actor.id,
    actor_username: actor.phone === '' ? actor.email : actor.phone,
    actor_via_sso: actor.isSsoUser,
    log_type: logTypes[action],
    ...(typeof actor.userMetadata.full_name === 'string' ? { actor_name: actor.userMetadata.full_name } : {}),
    ...(traits ? { traits } : {}),
  }
  return insertAuditEntry(tx, { id: auth.random.uuid(), payload, ip: '', at: auth.now() })
}
