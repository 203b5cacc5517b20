import { useMessages } from '#messages/messages.tsx'
import type { KeptAccount } from '#session/kept-accounts.ts'
import { Avatar } from '#ui/avatar.tsx'
import { IconButton } from '#ui/button.tsx'
import { Spinner } from '#ui/spinner.tsx'
import css from './accounts.module.css'

/** What an account is called: the person's name, else their address. */
export const nameOf = ({ name, address }: KeptAccount, guest: string): string => name || address || guest

interface AccountRowProps {
  account: KeptAccount
  isPresent?: boolean
  isPending?: boolean
  onChoose: () => void
  /** Absent for the account in use. */
  onEnd?: () => void
}

export function AccountRow({ account, isPresent = false, isPending = false, onChoose, onEnd }: AccountRowProps) {
  const { accounts: words } = useMessages()
  const name = nameOf(account, words.guest)
  return (
    <li className={css.row}>
      <button type="button" className={css.choose} aria-busy={isPending || undefined} aria-current={isPresent || undefined} onClick={onChoose}>
        <Avatar name={name} src={account.picture || undefined} size={32} />
        <span className={css.who}>
          <bdi className={css.name}>{name}</bdi>
          {account.address !== '' && account.address !== name && <bdi className={css.address}>{account.address}</bdi>}
        </span>
        {isPresent && <span className={css.mark}>{words.now}</span>}
        {isPending && <Spinner size={16} />}
      </button>
      {onEnd && <IconButton icon="close" label={words.end(name)} onClick={onEnd} />}
    </li>
  )
}
