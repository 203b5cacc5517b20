import type { AuthSettings } from '#api/auth-settings.ts'
import { usualDoor, type Door, type Wallet } from '#door.ts'
import { useProject } from '#session/session.tsx'
import { takesPasskeys } from '#session/passkey-place.ts'
import { offeredProviders } from '#session/provider-names.ts'

/** What the operator says of the door of the project in hand. */
export const useDoor = (): Door => useProject().door ?? usualDoor

/** A way in beside address and password. */
export type OtherWay =
  | { kind: 'passkey' | 'phone' | 'sso' | 'guest' }
  | { kind: 'provider'; id: string; name?: string; icon?: string }
  | { kind: 'wallet'; chain: Wallet }

/** Every other way that project, operator and this browser have in common. Which wallets there are, they tell only when they are asked. */
export function listOtherWays(settings: AuthSettings, door: Door, page: Window = window): OtherWay[] {
  const known = offeredProviders(settings.providers).filter((id) => !door.providers.some((own) => own.id === id))
  return [
    ...(hasPasskeys(settings, door, page) ? [{ kind: 'passkey' } as const] : []),
    ...known.map((id) => ({ kind: 'provider', id }) as const),
    ...door.providers.map((own) => ({ kind: 'provider', ...own }) as const),
    ...(settings.phone ? [{ kind: 'phone' } as const] : []),
    ...((door.sso ?? settings.sso) ? [{ kind: 'sso' } as const] : []),
    ...door.wallets.map((chain) => ({ kind: 'wallet', chain }) as const),
    ...((door.guests ?? settings.guests) ? [{ kind: 'guest' } as const] : []),
  ]
}

export const hasPasskeys = (settings: AuthSettings, door: Door, page: Window = window): boolean =>
  (door.passkeys ?? settings.passkeys) && takesPasskeys(page)
