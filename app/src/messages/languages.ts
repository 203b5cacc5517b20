import type { DoorMessages } from './en/index.ts'
import type { accounts } from './en/accounts.ts'
import type { arrivals } from './en/arrivals.ts'
import type { AccountMessages } from './en/at-account.ts'
import type { BoardMessages } from './en/board.ts'
import type { ConnectMessages } from './en/at-connect.ts'
import type { ChannelsMessages } from './en/channels.ts'
import type { consent } from './en/consent.ts'
import type { FilesMessages } from './en/files.ts'
import type { ToolsMessages } from './en/at-tools.ts'
import type { InsideMessages } from './en/inside.ts'
import type { LiveMessages } from './en/live.ts'
import type { factors } from './en/factors.ts'
import type { nudge } from './en/nudge.ts'
import type { onward } from './en/onward.ts'
import type { refusals } from './en/refusals.ts'
import type { ways } from './en/ways.ts'
import type { secondFactor } from './en/second-factor.ts'

/** The shape every language fills; a missing word is a type error. */
export type Messages = DoorMessages & UnionToIntersection<AreaMessages[Area]>

type UnionToIntersection<U> = (U extends unknown ? (part: U) => void : never) extends (all: infer I) => void ? I : never

/** What is said elsewhere than at the door, each fetched when it is needed. */
export interface AreaMessages {
  refusals: { refusals: typeof refusals }
  arrivals: { arrivals: typeof arrivals }
  ways: { ways: typeof ways }
  secondFactor: { secondFactor: typeof secondFactor }
  factors: { factors: typeof factors }
  inside: InsideMessages
  account: AccountMessages
  connect: ConnectMessages
  files: FilesMessages
  live: LiveMessages
  board: BoardMessages
  channels: ChannelsMessages
  tools: ToolsMessages
  consent: { consent: typeof consent }
  accounts: { accounts: typeof accounts }
  onward: { onward: typeof onward }
  nudge: { nudge: typeof nudge }
}

export type Area = keyof AreaMessages

/** How a language fetches each further area; stands in its `index.ts`, so that a page knows the areas of one language only. */
export type Areas = { [A in Area]: () => Promise<AreaMessages[A]> }

/** What a language's `index.ts` exports. */
interface Catalogue {
  messages: DoorMessages
  areas: Areas
}

export interface Language {
  /** BCP 47 language: `de`. */
  code: string
  /** What the page declares itself to be in, where that says more than the code: which script, or whose usage. */
  tag?: string
  /** What every date and number is written with, whatever the reader's region prefers. */
  writing?: { calendar?: string; numberingSystem?: string; script?: string }
  /** The language's own name for itself. */
  name: string
  direction: 'ltr' | 'rtl'
  load: () => Promise<Catalogue>
}

/** Every language the app speaks, the fallback first. Each has one chunk for the door and one for each further area. */
export const languages: readonly Language[] = [
  { code: 'en', name: 'English', direction: 'ltr', load: () => import('./en/index.ts') },
  { code: 'de', name: 'Deutsch', direction: 'ltr', load: () => import('./de/index.ts') },
  { code: 'fr', name: 'Français', direction: 'ltr', load: () => import('./fr/index.ts') },
  { code: 'es', name: 'Español', direction: 'ltr', load: () => import('./es/index.ts') },
  { code: 'pt', tag: 'pt-BR', name: 'Português', direction: 'ltr', load: () => import('./pt/index.ts') },
  { code: 'ja', name: '日本語', direction: 'ltr', load: () => import('./ja/index.ts') },
  // Readers of Traditional characters get these words too; their region's dates come in the same script as the rest.
  { code: 'zh', tag: 'zh-Hans', writing: { script: 'Hans' }, name: '简体中文', direction: 'ltr', load: () => import('./zh/index.ts') },
  // One kind of digits beside ids and codes, and one calendar beside what the project stores, from Rabat to Riyadh.
  { code: 'ar', writing: { calendar: 'gregory', numberingSystem: 'latn' }, name: 'العربية', direction: 'rtl', load: () => import('./ar/index.ts') },
]

/** Finds the language to speak: the stored choice, else the first of the reader's languages that we have, else English. */
export function chooseLanguage(stored: string | null, preferred: readonly string[]): Language {
  const wanted = stored === null ? preferred : [stored, ...preferred]
  for (const tag of wanted) {
    const language = languages.find(({ code }) => code === primary(tag))
    if (language) return language
  }
  return languages[0] as Language
}

/** The tag dates and numbers are written with: the reader's own region of that language (`en-GB`) when they have one. */
export function formatLocale({ code, writing }: Language, preferred: readonly string[]): string {
  const own = preferred.find((tag) => primary(tag) === code && isWellFormed(tag)) ?? code
  return writing ? new Intl.Locale(own, writing).toString() : own
}

// A browser may name what Intl refuses, such as en-US@posix.
function isWellFormed(tag: string): boolean {
  try {
    return new Intl.Locale(tag).language !== ''
  } catch {
    return false
  }
}

const primary = (tag: string) => tag.toLowerCase().split('-')[0]
