import { createContext, use, useEffect, useMemo, useState, type ReactNode } from 'react'
import { type Messages } from './en/index.ts'
import { formatIn, type Format } from './format.ts'
import { chooseLanguage, formatLocale, languages, type Language } from './languages.ts'

/** Where the reader's choice of language is kept. */
export const languageKey = 'portico.language'

export interface Locale {
  language: Language
  /** The tag to format with: `en-GB`. */
  locale: string
  direction: 'ltr' | 'rtl'
  languages: readonly Language[]
  /** Loads the language, then shows it everywhere; keeps the choice for the next visit and for other tabs. */
  setLanguage: (code: string) => Promise<void>
}

/** A language with its words. */
export interface Spoken {
  language: Language
  messages: Messages
}

const Context = createContext<{ messages: Messages; locale: Locale; format: Format } | undefined>(undefined)

/** Loads the words of the reader's language; called once, before the first paint. */
export async function loadMessages(): Promise<Spoken> {
  const language = chooseLanguage(readStored(), navigator.languages)
  try {
    return { language, messages: await language.load() }
  } catch (cause) {
    const fallback = languages[0]
    if (!fallback || fallback === language) throw cause
    return { language: fallback, messages: await fallback.load() }
  }
}

/** Gives every component below the words of one language, and the way to change it. */
export function MessagesProvider({ initial, children }: { initial: Spoken; children: ReactNode }) {
  const [spoken, setSpoken] = useState(initial)

  useEffect(() => {
    document.documentElement.lang = spoken.language.code
    document.documentElement.dir = spoken.language.direction
  }, [spoken])

  useEffect(() => {
    const follow = (event: StorageEvent) => {
      const chosen = event.key === languageKey && languages.find(({ code }) => code === event.newValue)
      if (chosen) void chosen.load().then((messages) => setSpoken({ language: chosen, messages }))
    }
    addEventListener('storage', follow)
    return () => removeEventListener('storage', follow)
  }, [])

  const value = useMemo(() => {
    const { language, messages } = spoken
    const locale = formatLocale(language, navigator.languages)
    const setLanguage = async (code: string) => {
      const next = languages.find((candidate) => candidate.code === code)
      if (!next) return
      const loaded = await next.load()
      store(code)
      setSpoken({ language: next, messages: loaded })
    }
    return { messages, locale: { language, locale, direction: language.direction, languages, setLanguage }, format: formatIn(locale) }
  }, [spoken])

  return <Context value={value}>{children}</Context>
}

/** The whole catalogue in the reader's language: `useMessages().data.newRecord`. */
export const useMessages = (): Messages => useSpoken().messages

/** The language in use and the way to change it. */
export const useLocale = (): Locale => useSpoken().locale

/** Dates, numbers and lists as the reader writes them. */
export const useFormat = (): Format => useSpoken().format

function useSpoken() {
  const value = use(Context)
  if (!value) throw new Error('useMessages needs a MessagesProvider above it')
  return value
}

// Storage may be refused (cookies blocked); the choice then lasts for this page only.
function readStored(): string | null {
  try {
    return localStorage.getItem(languageKey)
  } catch {
    return null
  }
}

function store(code: string): void {
  try {
    localStorage.setItem(languageKey, code)
  } catch {
    return
  }
}
