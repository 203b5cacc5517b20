import { useLocale, useMessages } from '#messages/messages.tsx'
import { useUser } from '#session/session.tsx'
import { Avatar } from '#ui/avatar.tsx'
import { Icon } from '#ui/icon.tsx'
import { Menu } from '#ui/menu.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { useTheme, type Theme } from '#ui/theme.ts'
import { personPlaces } from './places.ts'
import css from './sidebar.module.css'

const themes: readonly { id: Theme; icon: 'monitor' | 'sun' | 'moon' }[] = [
  { id: 'system', icon: 'monitor' },
  { id: 'light', icon: 'sun' },
  { id: 'dark', icon: 'moon' },
]

/** Who is signed in, and what concerns the person rather than the data. */
export function PersonMenu({ onHelp, onSignOut }: { onHelp: () => void; onSignOut: () => void }) {
  const { shell, ui } = useMessages()
  const { language, languages, setLanguage } = useLocale()
  const [theme, setTheme] = useTheme()
  const person = usePerson()
  const themeNames: Record<Theme, string> = { system: ui.themeSystem, light: ui.themeLight, dark: ui.themeDark }
  return (
    <Menu
      label={shell.account}
      placement="top start"
      trigger={
        <button type="button" className={css.switch}>
          <VisuallyHidden>{shell.account}</VisuallyHidden>
          <Avatar name={person.name} src={person.picture} size={24} />
          <span className={css.names}>
            <span className={css.name}>{person.name}</span>
            {person.address !== person.name && <span className={css.detail}>{person.address}</span>}
          </span>
          <Icon name="chevrons-up-down" size={14} className={css.arrows} />
        </button>
      }
      groups={[
        {
          items: [
            { id: 'account', label: shell.accountSettings, icon: 'user', href: '/account' },
            ...personPlaces.map(({ id, href, icon }) => ({ id: `place ${id}`, label: shell.places[id], icon, href })),
          ],
        },
        {
          heading: shell.theme,
          items: themes.map(({ id, icon }) => ({ id: `theme ${id}`, label: themeNames[id], icon, checked: id === theme, onSelect: () => setTheme(id) })),
        },
        {
          heading: shell.language,
          items: languages.map(({ code, name }) => ({ id: `language ${code}`, label: name, icon: 'languages' as const, checked: code === language.code, onSelect: () => void setLanguage(code) })),
        },
        {
          items: [
            { id: 'accounts', label: shell.switchAccount, icon: 'user', href: '/accounts' },
            { id: 'help', label: shell.shortcuts, icon: 'keyboard', keys: '?', onSelect: onHelp },
            { id: 'sign-out', label: shell.signOut, icon: 'sign-out', onSelect: onSignOut },
          ],
        },
      ]}
    />
  )
}

function usePerson(): { name: string; address: string; picture: string | undefined } {
  const { email, phone, user_metadata: metadata } = useUser()
  const { shell } = useMessages()
  const text = (key: string) => (typeof metadata[key] === 'string' && metadata[key] !== '' ? metadata[key] : undefined)
  const address = email || phone || shell.you
  return { name: text('full_name') ?? text('name') ?? address, address, picture: text('avatar_url') }
}
