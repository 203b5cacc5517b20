import { createContext, use, useMemo, useState, type ReactNode } from 'react'
import { createToastStore, type ToastStore } from './toast-store.ts'

/** The words the parts of this folder need themselves; a screen's words come in as props. */
export interface UiWords {
  showPassword: string
  hidePassword: string
  capsLock: string
  copy: string
  copied: string
  close: string
  cancel: string
  retry: string
  loading: string
  technicalDetails: string
  optional: string
  clear: string
  search: string
  nothingFound: string
  showOptions: string
  openCalendar: string
  previousMonth: string
  nextMonth: string
  notifications: string
  language: string
  theme: string
  themeSystem: string
  themeLight: string
  themeDark: string
  help: string
  terms: string
  privacy: string
  imprint: string
  screenFailed: string
  screenFailedHint: string
  /** What is printed on keys. */
  keys: Readonly<Record<'ctrl' | 'shift' | 'enter' | 'space' | 'esc', string>>
}

export interface UiLanguage {
  /** BCP 47 tag to format with: `en-GB`. */
  locale: string
  /** The language in use: `en`. */
  code: string
  /** Every language on offer, each by its own name. */
  choices: readonly { code: string; name: string }[]
  choose: (code: string) => void
}

/** An operator's own marks. */
export interface UiBrand {
  logo?: string
  logoDark?: string
  logoOnly?: true
  links: Readonly<Partial<Record<'help' | 'terms' | 'privacy' | 'imprint', string>>>
}

interface Ui {
  words: UiWords
  language: UiLanguage
  /** Ends every page title: the project's name, or the product's. */
  siteName: string
  brand: UiBrand | undefined
  toasts: ToastStore
}

const Context = createContext<Ui | undefined>(undefined)

export interface UiProviderProps {
  words: UiWords
  language: UiLanguage
  siteName: string
  brand?: UiBrand | undefined
  children: ReactNode
}

/** Hands words, language, the site's name and the list of toasts to every part below. */
export function UiProvider({ words, language, siteName, brand, children }: UiProviderProps) {
  const [toasts] = useState(createToastStore)
  const value = useMemo(() => ({ words, language, siteName, brand, toasts }), [words, language, siteName, brand, toasts])
  return <Context value={value}>{children}</Context>
}

export function useUi(): Ui {
  const value = use(Context)
  if (!value) throw new Error('parts of ui/ need a UiProvider above them')
  return value
}
