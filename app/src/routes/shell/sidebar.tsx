import { DataNavigation } from '#features/data/navigation.tsx'
import { useMessages } from '#messages/messages.tsx'
import { Icon } from '#ui/icon.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { PersonMenu } from './person-menu.tsx'
import { PlaceLinks } from './place-links.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import css from './sidebar.module.css'

export interface SidebarProps {
  onSearch: () => void
  onHelp: () => void
  onSignOut: () => void
  /** Called when a link was followed: closes the sheet it may stand in. */
  onNavigate?: (() => void) | undefined
}

/** Project, search, what the project holds, and the person at the foot. */
export function Sidebar({ onSearch, onHelp, onSignOut, onNavigate }: SidebarProps) {
  const { shell } = useMessages()
  return (
    <div className={css.sidebar}>
      <div className={css.top}>
        <ProjectSwitcher />
        <button type="button" className={css.search} onClick={onSearch}>
          <Icon name="search" size={14} />
          <span className={css.searchLabel}>{shell.search}</span>
          <Kbd keys="mod+k" />
        </button>
      </div>
      <nav className={css.navigation} aria-label={shell.mainMenu}>
        <PlaceLinks onNavigate={onNavigate} />
        <DataNavigation onNavigate={onNavigate} />
      </nav>
      <div className={css.foot}>
        <PersonMenu onHelp={onHelp} onSignOut={onSignOut} />
      </div>
    </div>
  )
}
