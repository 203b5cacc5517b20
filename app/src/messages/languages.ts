import type { DoorMessages } from './en/index.ts'
import type { InsideMessages } from './en/inside.ts'

/** The shape every language fills; a missing word is a type error. */
export type Messages = DoorMessages & InsideMessages

export interface Language {
  /** BCP 47 language: `de`. */
  code: string
  /** The language's own name for itself. */
  name: string
  direction: 'ltr' | 'rtl'
  load: () => Promise<DoorMessages>
  loadInside: () => Promise<InsideMessages>
}

const english: Language = {
  code: 'en',
  name: 'English',
  direction: 'ltr',
  load: async () => (await import('./en/index.ts')).messages,
  loadInside: async () => (await import('./en/inside.ts')).insideMessages,
}

const german: Language = {
  code: 'de',
  name: 'Deutsch',
  direction: 'ltr',
  load: async () => (await import('./de/index.ts')).messages,
  loadInside: async () => (await import('./de/inside.ts')).insideMessages,
}

/** Every language the app speaks, the fallback first. Each has one chunk for the door and one for what is behind it. */
export const languages: readonly Language[] = [english, german]

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
