import { usePathname } from 'wouter/use-browser-location'
import { useMessages } from '#messages/messages.tsx'
import { Icon } from '#ui/icon.tsx'
import { Link } from '#ui/link.tsx'
import css from './place-links.module.css'
import { dataPlaces, isIn } from './places.ts'

/** The places beside the tables, in the sidebar. */
export function PlaceLinks({ onNavigate }: { onNavigate?: (() => void) | undefined }) {
  const { shell } = useMessages()
  const pathname = usePathname()
  if (dataPlaces.length === 0) return null
  return (
    <ul className={css.places}>
      {dataPlaces.map((place) => (
        <li key={place.id}>
          <Link href={place.href} variant="plain" className={css.place} aria-current={isIn(place, pathname) ? 'page' : undefined} onClick={onNavigate}>
            <Icon name={place.icon} size={14} className={css.icon} />
            {shell.places[place.id]}
          </Link>
        </li>
      ))}
    </ul>
  )
}
