import { chooseLanguage, languages, type Language, type Messages } from './languages.ts'

/** Where the reader's choice of language is kept. */
export const languageKey = 'portico.language'

/** A language with its words. Those of the areas behind the door are there once `loadInside` has run. */
export interface Spoken {
  language: Language
  messages: Messages
}

/** The one language in use. Changing it needs no reload; other tabs follow. */
export interface WordsStore {
  spoken: () => Spoken
  subscribe: (listener: () => void) => () => void
  setLanguage: (code: string) => Promise<void>
  /** Fetches the words of shell, connect, account and data; from then on each language brings them along. */
  loadInside: () => Promise<void>
}

type Page = Pick<Window, 'addEventListener' | 'localStorage'> & { navigator: Pick<Navigator, 'languages'> }

/** Loads the words of the reader's language; called once, before the first paint. */
export async function openWords(page: Page): Promise<WordsStore> {
  const listeners = new Set<() => void>()
  let isInside = false
  let goingInside: Promise<void> | undefined
  let spoken = await loadFirst(chooseLanguage(readStored(page), page.navigator.languages))
  let wanted = spoken.language

  // The last wish wins, whichever arrives first; and what was asked for before the words behind the door were is asked for again.
  const speak = async (language: Language): Promise<void> => {
    wanted = language
    const inside = isInside
    const messages = await load(language, inside).catch((error: unknown) => {
      if (wanted === language) wanted = spoken.language
      throw error
    })
    if (wanted !== language) return
    if (inside !== isInside) return speak(language)
    spoken = { language, messages }
    for (const listener of listeners) listener()
  }
  // Another language may be chosen while the words are on their way: they are there once they are in the one that is spoken.
  const goInside = async (): Promise<void> => {
    await speak(wanted)
    if (!('shell' in spoken.messages)) await goInside()
  }
  page.addEventListener('storage', (event) => {
    const chosen = event.key === languageKey && languages.find(({ code }) => code === event.newValue)
    if (chosen) void speak(chosen)
  })

  return {
    spoken: () => spoken,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    setLanguage: async (code) => {
      const language = languages.find((candidate) => candidate.code === code)
      if (!language) return
      await speak(language)
      store(page, code)
    },
    // Whoever asks while the words are on their way waits for them too: a screen without them cannot be drawn.
    loadInside: () => {
      isInside = true
      goingInside ??= goInside().catch((error: unknown) => {
        isInside = false
        goingInside = undefined
        throw error
      })
      return goingInside
    },
  }
}

// A screen that needs the words behind the door stands behind `loadInside`; the type need not tell the two apart.
async function load(language: Language, isInside: boolean): Promise<Messages> {
  const [door, inside] = await Promise.all([language.load(), isInside ? language.loadInside() : ({} as Awaited<ReturnType<Language['loadInside']>>)])
  return { ...door, ...inside, errors: { ...door.errors, byCode: { ...door.errors.byCode, ...inside.dataErrors } } }
}

async function loadFirst(language: Language): Promise<Spoken> {
  try {
    return { language, messages: await load(language, false) }
  } catch (cause) {
    const [fallback] = languages
    if (!fallback || fallback === language) throw cause
    return { language: fallback, messages: await load(fallback, false) }
  }
}

// Storage may be refused (cookies blocked); the choice then lasts for this page only.
function readStored(page: Page): string | null {
  try {
    return page.localStorage.getItem(languageKey)
  } catch {
    return null
  }
}

function store(page: Page, code: string): void {
  try {
    page.localStorage.setItem(languageKey, code)
  } catch {
    return
  }
}
