import { useLocale, useMessages } from '#messages/messages.tsx'
import { Segmented } from '#ui/segmented.tsx'
import { Select } from '#ui/select.tsx'
import { useTheme, type Theme } from '#ui/theme.ts'
import { Section } from './account-frame.tsx'
import css from './account.module.css'

/** Language and appearance. */
export function PreferencesSection() {
  const { account, ui } = useMessages()
  const words = account.preferences
  const { language, languages, setLanguage } = useLocale()
  const [theme, setTheme] = useTheme()
  const themes: readonly { value: Theme; label: string; icon: 'monitor' | 'sun' | 'moon' }[] = [
    { value: 'system', label: ui.themeSystem, icon: 'monitor' },
    { value: 'light', label: ui.themeLight, icon: 'sun' },
    { value: 'dark', label: ui.themeDark, icon: 'moon' },
  ]
  return (
    <Section heading={words.heading} lead={words.lead}>
      <Select label={words.language} value={language.code} onChange={(event) => void setLanguage(event.target.value)}>
        {languages.map(({ code, name }) => (
          <option key={code} value={code} lang={code}>
            {name}
          </option>
        ))}
      </Select>
      <div className={css.field}>
        <span className={css.fieldLabel} aria-hidden>
          {words.theme}
        </span>
        <Segmented label={words.theme} options={themes} value={theme} onChange={setTheme} />
      </div>
    </Section>
  )
}
