/** What a list of happenings can be narrowed to. */
export type Kind = 'all' | 'signIn' | 'account' | 'proofs'

export const kinds: readonly Kind[] = ['all', 'signIn', 'account', 'proofs']

const signIn: ReadonlySet<string> = new Set([
  'login',
  'logout',
  'user_signedup',
  'invite_accepted',
  'user_recovery_requested',
  'user_confirmation_requested',
  'user_repeated_signup',
])

/** The kind an action of the audit log belongs to; what is not known changed something of the account. */
export function kindOf(action: string): Exclude<Kind, 'all'> {
  if (signIn.has(action)) return 'signIn'
  return /^(factor_|passkey_|challenge_|verification_)/.test(action) ? 'proofs' : 'account'
}
