import { queryOptions } from '@tanstack/react-query'
import { readAuthSettings } from '#api/auth-settings.ts'
import type { User } from '#api/client.ts'
import { readPasskeys } from '#features/account/passkeys/passkeys.ts'
import type { AccountSource } from '#features/account/queries.ts'
import { takesPasskeys } from '#session/passkey-place.ts'

/** The auth service's words for ways in that a passkey takes the place of: what is typed, or fetched from a mail or a text. */
const replaceable: ReadonlySet<string> = new Set(['password', 'otp', 'magiclink', 'email/signup', 'invite', 'recovery'])

/** True for whoever came in by a password, a code or a link, and has an account of their own here. */
export const isInvited = ({ is_anonymous: isGuest, app_metadata: { provider } }: User, methods: readonly string[]): boolean =>
  isGuest !== true && !String(provider ?? '').startsWith('sso:') && methods.some((method) => replaceable.has(method))

/** Whether this device keeps passkeys itself. A key on a ring is for those who look for it. */
const keepsPasskeys = () => PublicKeyCredential.isUserVerifyingPlatformAuthenticatorAvailable?.().catch(() => false) ?? false

/** `add`: one can be added here, and there is none; `has`: there is one already; `cannot`: not in this project, browser or place. */
export const passkeyOfferQuery = ({ connection, scope }: AccountSource) =>
  queryOptions({
    queryKey: [...scope, 'has-passkey', 'offer'] as const,
    staleTime: Infinity,
    queryFn: async (): Promise<'add' | 'has' | 'cannot'> => {
      if (!takesPasskeys()) return 'cannot'
      const { project } = connection
      if (!(project.door?.passkeys ?? (await readAuthSettings(connection)).passkeys)) return 'cannot'
      if (!(await keepsPasskeys())) return 'cannot'
      const passkeys = await readPasskeys(connection.client)
      if (passkeys === undefined) return 'cannot'
      return passkeys.length === 0 ? 'add' : 'has'
    },
  })
