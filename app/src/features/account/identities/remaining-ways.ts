import type { User } from '#api/client.ts'
import type { AuthSettings } from '#api/auth-settings.ts'

/** A way to sign in: an identity's provider by its name, or one of these. */
export type Way = 'password' | 'mail' | 'phone' | 'passkey' | (string & {})

interface Facts {
  user: Pick<User, 'email' | 'email_confirmed_at' | 'phone' | 'phone_confirmed_at' | 'identities'>
  /** Undefined where the project does not tell. */
  hasPassword: boolean | undefined
  hasPasskey: boolean
  settings: Pick<AuthSettings, 'email' | 'phone'>
  /** Providers that people can sign in with here at present. */
  offered: readonly string[]
}

/**
 * What a person could still sign in with after one identity is gone. An address counts while mail to it opens the
 * account; a provider only while the project offers it.
 */
export function remainingWays(unlinked: string, { user, hasPassword, hasPasskey, settings, offered }: Facts): Way[] {
  const others = (user.identities ?? []).filter(({ identity_id: id }) => id !== unlinked)
  const hasMail = settings.email && Boolean(user.email) && Boolean(user.email_confirmed_at)
  const providers = others.map(({ provider }) => provider).filter((provider) => provider !== 'email' && provider !== 'phone' && (provider.startsWith('sso:') || offered.includes(provider)))
  return [
    ...(hasMail && hasPassword === true ? ['password'] : []),
    ...(hasMail ? ['mail'] : []),
    ...(settings.phone && user.phone && user.phone_confirmed_at ? ['phone'] : []),
    ...(hasPasskey ? ['passkey'] : []),
    ...new Set(providers),
  ]
}
