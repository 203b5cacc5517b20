import { useId, type ReactNode } from 'react'
import css from './door-layout.module.css'
import { Icon, type IconName } from './icon.tsx'
import { Wordmark } from './logo.tsx'
import { useTheme, type Theme } from './theme.ts'
import { useUi } from './ui-provider.tsx'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface DoorLayoutProps {
  /** The operator's or project's name beside the mark; or a whole brand. */
  brand: ReactNode
  /** The one heading: where one is. */
  title: ReactNode
  /** One or two lines below the heading. */
  lead?: ReactNode
  children: ReactNode
  /** Below the card: "No account yet? Sign up". */
  below?: ReactNode
  /** Links in the page's foot, before language and theme. */
  footer?: ReactNode
}

/** The page at the door: brand, a card of 400 px with one heading, language and theme at the foot. */
export function DoorLayout({ brand, title, lead, children, below, footer }: DoorLayoutProps) {
  return (
    <div className={css.page}>
      <main className={css.main}>
        <div className={css.brand}>{typeof brand === 'string' ? <Wordmark name={brand} size={22} /> : brand}</div>
        <div className={css.card}>
          <header className={css.header}>
            <h1 className={css.title} tabIndex={-1}>
              {title}
            </h1>
            {lead && <p className={css.lead}>{lead}</p>}
          </header>
          {children}
        </div>
        {below && <div className={css.below}>{below}</div>}
      </main>
      <footer className={css.footer}>
        {footer}
        <BrandLinks />
        <div className={css.choices}>
          <LanguageSelect />
          <ThemeSelect />
        </div>
      </footer>
    </div>
  )
}

/** The column inside a door's card: fields and buttons in one rhythm. */
export function DoorStack({ children }: { children: ReactNode }) {
  return <div className={css.stack}>{children}</div>
}

/** A quiet line with a word in it, between the first way and the others. */
export function DoorDivider({ children }: { children: ReactNode }) {
  return <div className={css.divider}>{children}</div>
}

/** The answer given a step ago, with the way to change it. */
export function DoorAnswer({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <div className={css.answer}>
      <span className={css.given}>{children}</span>
      {action}
    </div>
  )
}

/** The operator's own pages: help, terms, privacy, legal notice. */
function BrandLinks() {
  const { words, brand } = useUi()
  const links = (['help', 'terms', 'privacy', 'imprint'] as const).filter((link) => brand?.links[link])
  return (
    links.length > 0 && (
      <div className={css.links}>
        {links.map((link) => (
          <a key={link} href={brand?.links[link]} className={css.legal}>
            {words[link]}
          </a>
        ))}
      </div>
    )
  )
}

export function LanguageSelect() {
  const { words, language } = useUi()
  return (
    <QuietSelect icon="languages" label={words.language} value={language.code} onChange={language.choose}>
      {language.choices.map(({ code, name }) => (
        <option key={code} value={code} lang={code}>
          {name}
        </option>
      ))}
    </QuietSelect>
  )
}

const themeIcons = { system: 'monitor', light: 'sun', dark: 'moon' } as const

export function ThemeSelect() {
  const { words } = useUi()
  const [theme, setTheme] = useTheme()
  return (
    <QuietSelect icon={themeIcons[theme]} label={words.theme} value={theme} onChange={(value) => setTheme(value as Theme)}>
      <option value="system">{words.themeSystem}</option>
      <option value="light">{words.themeLight}</option>
      <option value="dark">{words.themeDark}</option>
    </QuietSelect>
  )
}

interface QuietSelectProps {
  icon: IconName
  label: string
  value: string
  onChange: (value: string) => void
  children: ReactNode
}

function QuietSelect({ icon, label, value, onChange, children }: QuietSelectProps) {
  const id = useId()
  return (
    <span className={css.choice}>
      <label htmlFor={id}>
        <VisuallyHidden>{label}</VisuallyHidden>
        <Icon name={icon} size={14} />
      </label>
      <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
        {children}
      </select>
    </span>
  )
}
