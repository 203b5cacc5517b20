import { usePathname } from 'wouter/use-browser-location'
import { useMessages } from '#messages/messages.tsx'
import { NavLink } from '#ui/nav-link.tsx'
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
          <NavLink href={place.href} icon={place.icon} label={shell.places[place.id]} current={isIn(place, pathname)} onNavigate={onNavigate} />
        </li>
      ))}
    </ul>
  )
}
