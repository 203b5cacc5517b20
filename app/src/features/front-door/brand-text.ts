import { brandText, type BrandText, type BrandTextName } from '#brand.ts'
import { useLocale } from '#messages/messages.tsx'
import { useProject } from '#session/session.tsx'

/** The operator's own words for a place, in the reader's language; undefined where there are none. */
export function useBrandText(): (name: BrandTextName) => string | undefined {
  const { brand } = useProject()
  const { language } = useLocale()
  return (name) => brandText(brand, name, language.code)
}

/** A text of the door's settings in the reader's language, else in English, else in the first it has. */
export function useOperatorText(): (text: BrandText) => string {
  const { language } = useLocale()
  return (text) => (typeof text === 'string' ? text : (text[language.code] ?? text['en'] ?? Object.values(text)[0] ?? ''))
}
