import { chooseLanguage, languages, type Area, type Language, type Messages } from './languages.ts'

/** Where the reader's choice of language is kept. */
export const languageKey = 'portico.language'

/** A language with its words. Those of further areas are there once `loadArea` has run. */
export interface Spoken {
  language: Language
  messages: Messages
}

/** The one language in use. Changing it needs no reload; other tabs follow. */
export interface WordsStore {
  spoken: () => Spoken
  subscribe: (listener: () => void) => () => void
  setLanguage: (code: string) => Promise<void>
  /** Fetches the words of an area; from then on each language brings them along. Asking again costs nothing. */
  loadArea: (area: Area) => Promise<void>
}

type Page = Pick<Window, 'addEventListener' | 'localStorage'> & { navigator: Pick<Navigator, 'languages'> }

/** Loads the words of the reader's language; called once, before the first paint. */
export async function openWords(page: Page): Promise<WordsStore> {
  const listeners = new Set<() => void>()
  const areas = new Map<Area, Promise<void>>()
  let spoken = await loadFirst(chooseLanguage(readStored(page), page.navigator.languages))
  let wanted = spoken.language

  // The last wish wins, whichever arrives first; and what was fetched before another area was asked for is fetched again.
  const speak = async (language: Language): Promise<void> => {
    wanted = language
    const asked = [...areas.keys()]
    const messages = await load(language, asked).catch((error: unknown) => {
      if (wanted === language) wanted = spoken.language
      throw error
    })
    if (wanted !== language) return
    if (asked.length !== areas.size) return speak(language)
    spoken = { language, messages }
    for (const listener of listeners) listener()
  }
  // Another language may be chosen while the words are on their way: they are there once they are in the one that is spoken.
  const goTo = async (area: Area): Promise<void> => {
    await speak(wanted)
    if (!(markOf(area) in spoken.messages)) await goTo(area)
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
    loadArea: (area) => {
      const known = areas.get(area)
      if (known) return known
      // Entered before it is fetched: what is fetched is what was entered.
      const arrival = Promise.resolve().then(() => goTo(area))
      const kept = arrival.catch((error: unknown) => {
        areas.delete(area)
        throw error
      })
      areas.set(area, kept)
      return kept
    },
  }
}

/** A key that is in the catalogue once the area is: its own name, but for these. */
const marks = { inside: 'shell', tools: 'inspector' } as const satisfies Partial<Record<Area, keyof Messages>>
type Marked = keyof typeof marks

const markOf = (area: Area): keyof Messages => (area in marks ? marks[area as Marked] : (area as Exclude<Area, Marked>))

// A screen that needs the words of an area stands behind `loadArea`; the type need not tell the two apart.
async function load(language: Language, areas: readonly Area[]): Promise<Messages> {
  const catalogue = await language.load()
  const door = catalogue.messages
  const parts = await Promise.all(areas.map((area) => catalogue.areas[area]()))
  const all = Object.assign({ ...door }, ...parts) as Messages
  return { ...all, errors: { ...door.errors, byCode: { ...door.errors.byCode, ...all.refusals, ...all.insideErrors, ...all.accountErrors } } }
}

async function loadFirst(language: Language): Promise<Spoken> {
  try {
    return { language, messages: await load(language, []) }
  } catch (cause) {
    const [fallback] = languages
    if (!fallback || fallback === language) throw cause
    return { language: fallback, messages: await load(fallback, []) }
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
