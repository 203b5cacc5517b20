import { Icon, type IconName } from './icon.tsx'
import { Link } from './link.tsx'
import css from './nav-link.module.css'

export interface NavLinkProps {
  href: string
  icon: IconName
  label: string
  /** Whether this is where the person is. */
  current: boolean
  title?: string | undefined
  /** Called when the link was followed: closes the sheet it may stand in. */
  onNavigate?: (() => void) | undefined
}

/** One place in the sidebar. */
export function NavLink({ href, icon, label, current, title, onNavigate }: NavLinkProps) {
  return (
    <Link href={href} variant="plain" className={css.link} aria-current={current ? 'page' : undefined} title={title} onClick={onNavigate}>
      <Icon name={icon} size={14} className={css.icon} />
      <span className={css.label}>{label}</span>
    </Link>
  )
}
