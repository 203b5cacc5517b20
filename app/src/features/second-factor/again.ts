import type { Client, ProjectClient, User } from '#api/client.ts'
import { AppError } from '#api/app-error.ts'
import { unwrap } from '#api/unwrap.ts'
import { unwrapCeremony } from '#api/ceremony.ts'

/** How a person without a second factor can show once more who they are. */
export type Proof = 'password' | 'mail' | 'phone' | 'passkey'

/** The ways that may work for this person, the likeliest first. Whether there is a password, the auth service tells nobody. */
export function listProofs(user: User, hasPasskey: boolean): Proof[] {
  const provider = String(user.app_metadata['provider'] ?? '')
  // An organisation's people are known to it alone: no password, no mailed code.
  if (provider.startsWith('sso:')) return []
  const providers = new Set(user.identities?.map((identity) => identity.provider) ?? [provider])
  const hasOwn = providers.has('email') || providers.has('phone')
  const coded: Proof[] = user.email ? ['mail'] : user.phone ? ['phone'] : []
  return [...(hasPasskey ? (['passkey'] as const) : []), ...(hasOwn ? (['password'] as const) : []), ...coded, ...(hasOwn || coded.length === 0 ? [] : (['password'] as const))]
}

/**
 * Signs in beside the session, and ends that at once: the auth service knows no other way to check a proof. The session of
 * the tabs stays as it is.
 */
async function signInAside(connection: ProjectClient, user: User, signIn: (aside: Client) => Promise<{ user: User | null }>): Promise<void> {
  const aside = connection.openAside()
  const { user: found } = await signIn(aside)
  await aside.auth.signOut({ scope: 'local' })
  if (found?.id !== user.id) throw new AppError('forbidden', '', { code: 'portico_other_person' })
}

const addressOf = ({ email, phone }: User) => (email ? { email } : { phone: phone ?? '' })

/** @throws AppError `invalid_credentials` for a wrong one */
export const provePassword = (connection: ProjectClient, user: User, password: string): Promise<void> =>
  signInAside(connection, user, (aside) => unwrap(aside.auth.signInWithPassword({ ...addressOf(user), password })))

/** @throws AppError `portico_other_person` for somebody else's passkey, and those of `toCeremonyError` */
export const provePasskey = (connection: ProjectClient, user: User): Promise<void> =>
  signInAside(connection, user, (aside) => unwrapCeremony(() => aside.auth.signInWithPasskey()))

/** Sends a code to the person's own address. Its link, opened in this browser, does as well: the session is new then. */
export async function sendProofCode(connection: ProjectClient, user: User): Promise<void> {
  const { auth } = connection.openAside()
  const options = { shouldCreateUser: false, emailRedirectTo: `${location.origin}/callback` }
  await unwrap(auth.signInWithOtp(user.email ? { email: user.email, options } : { phone: user.phone ?? '', options: { shouldCreateUser: false } }))
}

/** @throws AppError `otp_expired` for a wrong or old one */
export const proveCode = (connection: ProjectClient, user: User, code: string): Promise<void> =>
  signInAside(connection, user, (aside) => unwrap(aside.auth.verifyOtp(user.email ? { type: 'email', email: user.email, token: code } : { type: 'sms', phone: user.phone ?? '', token: code })))
