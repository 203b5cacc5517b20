import type { DoorMessages } from './en/index.ts'
import type { ConnectMessages } from './en/at-connect.ts'
import type { ChannelsMessages } from './en/channels.ts'
import type { FilesMessages } from './en/files.ts'
import type { ToolsMessages } from './en/at-tools.ts'
import type { InsideMessages } from './en/inside.ts'
import type { LiveMessages } from './en/live.ts'

/** The shape every language fills; a missing word is a type error. */
export type Messages = DoorMessages & InsideMessages & ConnectMessages & FilesMessages & LiveMessages & ChannelsMessages & ToolsMessages

/** What is said elsewhere than at the door, each fetched when it is needed. */
export type Area = 'inside' | 'connect' | 'files' | 'live' | 'channels' | 'tools'

export interface Language {
  /** BCP 47 language: `de`. */
  code: string
  /** The language's own name for itself. */
  name: string
  direction: 'ltr' | 'rtl'
  load: () => Promise<DoorMessages>
  areas: {
    inside: () => Promise<InsideMessages>
    connect: () => Promise<ConnectMessages>
    files: () => Promise<FilesMessages>
    live: () => Promise<LiveMessages>
    channels: () => Promise<ChannelsMessages>
    tools: () => Promise<ToolsMessages>
  }
}

const english: Language = {
  code: 'en',
  name: 'English',
  direction: 'ltr',
  load: async () => (await import('./en/index.ts')).messages,
  areas: {
    inside: async () => (await import('./en/inside.ts')).insideMessages,
    connect: async () => (await import('./en/at-connect.ts')).connectMessages,
    files: async () => (await import('./en/files.ts')).filesMessages,
    live: async () => (await import('./en/live.ts')).liveMessages,
    channels: async () => (await import('./en/channels.ts')).channelsMessages,
    tools: async () => (await import('./en/at-tools.ts')).toolsMessages,
  },
}

const german: Language = {
  code: 'de',
  name: 'Deutsch',
  direction: 'ltr',
  load: async () => (await import('./de/index.ts')).messages,
  areas: {
    inside: async () => (await import('./de/inside.ts')).insideMessages,
    connect: async () => (await import('./de/at-connect.ts')).connectMessages,
    files: async () => (await import('./de/files.ts')).filesMessages,
    live: async () => (await import('./de/live.ts')).liveMessages,
    channels: async () => (await import('./de/channels.ts')).channelsMessages,
    tools: async () => (await import('./de/at-tools.ts')).toolsMessages,
  },
}

/** Every language the app speaks, the fallback first. Each has one chunk for the door and one for each further area. */
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
