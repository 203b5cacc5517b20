import type { Messages } from './en/index.ts'

export interface Language {
  /** BCP 47 language: `de`. */
  code: string
  /** The language's own name for itself. */
  name: string
  direction: 'ltr' | 'rtl'
  load: () => Promise<Messages>
}

const english: Language = { code: 'en', name: 'English', direction: 'ltr', load: async () => (await import('./en/index.ts')).messages }

/** Every language the app speaks, the fallback first. Each `load` is one chunk. */
export const languages: readonly Language[] = [
  english,
  { code: 'de', name: 'Deutsch', direction: 'ltr', load: async () => (await import('./de/index.ts')).messages },
]

/** Finds the language to speak: the stored choice, else the first of the reader's languages that we have, else English. */
export function chooseLanguage(stored: string | null, preferred: readonly string[]): Language {
  const wanted = stored === null ? preferred : [stored, ...preferred]
  for (const tag of wanted) {
    const language = languages.find(({ code }) => code === primary(tag))
    if (language) return language
  }
  return english
}

/** The tag dates and numbers are written with: the reader's own region of that language (`en-GB`) when they have one. */
export function formatLocale(language: Language, preferred: readonly string[]): string {
  return preferred.find((tag) => primary(tag) === language.code) ?? language.code
}

const primary = (tag: string) => tag.toLowerCase().split('-')[0]
