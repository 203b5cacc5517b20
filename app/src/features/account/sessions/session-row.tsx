import css from '#features/account/account.module.css'
import type { OwnSession } from '#features/account/queries.ts'
import { useMessages } from '#messages/messages.tsx'
import { shownName } from '#session/app-name.ts'
import { Button } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { Icon } from '#ui/icon.tsx'
import { readDevice } from './device-name.ts'

const icons = { computer: 'monitor', phone: 'phone', program: 'braces' } as const

/** "Chrome on Windows"; an application by its name. */
export function useDeviceName(): (session: OwnSession) => string {
  const { sessions: words } = useMessages().access
  return ({ app, userAgent }) => {
    if (app !== null) return words.app(shownName(app))
    const { browser, system } = readDevice(userAgent)
    if (browser !== '' && system !== '') return words.device(browser, system)
    return browser || system || words.unknownDevice
  }
}

/** One session: what it runs on, since when, from where. */
export function SessionRow({ session, onEnd }: { session: OwnSession; onEnd: () => void }) {
  const { sessions: words } = useMessages().access
  const name = useDeviceName()(session)
  const icon = session.app === null ? icons[readDevice(session.userAgent).kind] : 'grid'
  return (
    <li className={css.row}>
      <Icon name={icon} size={18} className={css.rowIcon} />
      <div className={css.rowText}>
        <p className={css.rowTitle}>
          <span>{name}</span>
          {session.isCurrent && <Chip tone="success">{words.current}</Chip>}
          {session.level === 'aal2' && <Chip>{words.secondFactor}</Chip>}
        </p>
        <p className={css.rowDetail}>
          <span>
            {words.active} <DateTime value={session.refreshedAt} show="relative" />
          </span>
          {session.ip !== '' && <span>{words.address(session.ip)}</span>}
          <span>
            {words.signedIn} <DateTime value={session.createdAt} show="date" />
          </span>
        </p>
      </div>
      {!session.isCurrent && (
        <Button aria-label={words.endNamed(name)} onClick={onEnd}>
          {words.end}
        </Button>
      )}
    </li>
  )
}
