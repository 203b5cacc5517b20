import { createContext, use, useEffect, useMemo, useSyncExternalStore, type ReactNode } from 'react'
import { formatIn, type Format } from './format.ts'
import { formatLocale, languages, type Language, type Messages } from './languages.ts'
import type { WordsStore } from './words-store.ts'

export interface Locale {
  language: Language
  /** The tag to format with: `en-GB`. */
  locale: string
  direction: 'ltr' | 'rtl'
  languages: readonly Language[]
  /** Loads the language, then shows it everywhere; keeps the choice for the next visit and for other tabs. */
  setLanguage: (code: string) => Promise<void>
}

const Context = createContext<{ messages: Messages; locale: Locale; format: Format; loadArea: WordsStore['loadArea'] } | undefined>(undefined)

/** Gives every component below the words of one language, and the way to change it. */
export function MessagesProvider({ words, children }: { words: WordsStore; children: ReactNode }) {
  const { language, messages } = useSyncExternalStore(words.subscribe, words.spoken)

  useEffect(() => {
    document.documentElement.lang = language.tag ?? language.code
    document.documentElement.dir = language.direction
  }, [language])

  const value = useMemo(() => {
    const locale = formatLocale(language, navigator.languages)
    return {
      messages,
      locale: { language, locale, direction: language.direction, languages, setLanguage: words.setLanguage },
      format: formatIn(locale),
      loadArea: words.loadArea,
    }
  }, [language, messages, words])

  return <Context value={value}>{children}</Context>
}

/** The whole catalogue in the reader's language: `useMessages().data.newRecord`. At the door only its own areas are loaded. */
export const useMessages = (): Messages => useSpoken().messages

/** The language in use and the way to change it. */
export const useLocale = (): Locale => useSpoken().locale

/** Dates, numbers and lists as the reader writes them. */
export const useFormat = (): Format => useSpoken().format

/** Fetches the words of an area, for what comes after its screen. */
export const useLoadArea = (): WordsStore['loadArea'] => useSpoken().loadArea

function useSpoken() {
  const value = use(Context)
  if (!value) throw new Error('useMessages needs a MessagesProvider above it')
  return value
}
