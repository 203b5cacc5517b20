import css from '#features/account/account.module.css'
import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { Icon } from '#ui/icon.tsx'
import type { Identity } from './identities-section.tsx'

const icons: Readonly<Record<string, 'mail' | 'phone'>> = { email: 'mail', phone: 'phone' }
const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** Whose account elsewhere it is, as that provider named it. */
export const accountOf = ({ identity_data: data }: Identity): string => textOf(data?.['email']) || textOf(data?.['preferred_username']) || textOf(data?.['user_name']) || textOf(data?.['name']) || textOf(data?.['phone'])

interface IdentityRowProps {
  identity: Identity
  name: string
  /** The name that tells it from every other. */
  label: string
  onUnlink: (() => void) | undefined
}

export function IdentityRow({ identity, name, label, onUnlink }: IdentityRowProps) {
  const words = useMessages().access.identities
  const account = accountOf(identity)
  return (
    <li className={css.row}>
      <Icon name={icons[identity.provider] ?? 'link'} size={18} className={css.rowIcon} />
      <div className={css.rowText}>
        <p className={css.rowTitle}>{name}</p>
        <p className={css.rowDetail}>
          {account !== '' && <bdi>{account}</bdi>}
          {identity.created_at && (
            <span>
              {words.since} <DateTime value={identity.created_at} show="date" />
            </span>
          )}
          {!(identity.provider in icons) && identity.last_sign_in_at && (
            <span>
              {words.lastUsed} <DateTime value={identity.last_sign_in_at} show="relative" />
            </span>
          )}
        </p>
      </div>
      {onUnlink && (
        <Button aria-label={words.disconnect(label)} onClick={onUnlink}>
          {words.disconnectShort}
        </Button>
      )}
    </li>
  )
}
