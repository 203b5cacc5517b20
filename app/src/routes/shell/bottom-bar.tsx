import { usePathname } from 'wouter/use-browser-location'
import { useMessages } from '#messages/messages.tsx'
import { Icon } from '#ui/icon.tsx'
import { Link } from '#ui/link.tsx'
import css from './bottom-bar.module.css'
import { dataPlaces, isIn } from './places.ts'

export interface BottomBarProps {
  menuOpen: boolean
  onMenu: () => void
  onSearch: () => void
}

// Four places at most find room under a thumb; the sheet holds the rest.
const shown = dataPlaces.slice(0, 1)

/** The main places under the thumb, where the window is too narrow for the sidebar. */
export function BottomBar({ menuOpen, onMenu, onSearch }: BottomBarProps) {
  const { shell } = useMessages()
  const pathname = usePathname()
  return (
    <nav className={css.bar} aria-label={shell.mainMenu}>
      <button type="button" className={css.place} aria-haspopup="dialog" aria-expanded={menuOpen} data-current={pathname.startsWith('/data') || undefined} onClick={onMenu}>
        <Icon name="table" size={20} />
        {shell.tables}
      </button>
      {shown.map((place) => (
        <Link key={place.id} href={place.href} variant="plain" className={css.place} aria-current={isIn(place, pathname) ? 'page' : undefined}>
          <Icon name={place.icon} size={20} />
          {shell.places[place.id]}
        </Link>
      ))}
      <button type="button" className={css.place} aria-haspopup="dialog" onClick={onSearch}>
        <Icon name="search" size={20} />
        {shell.searchShort}
      </button>
      <Link href="/account" variant="plain" className={css.place} aria-current={pathname.startsWith('/account') ? 'page' : undefined}>
        <Icon name="user" size={20} />
        {shell.account}
      </Link>
    </nav>
  )
}
