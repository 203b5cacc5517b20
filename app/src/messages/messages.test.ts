import { describe, expect, it } from 'vitest'
import { connectMessages as germanConnect } from './de/at-connect.ts'
import { insideMessages as germanInside } from './de/inside.ts'
import { messages as german } from './de/index.ts'
import { refusals as germanRefusals } from './de/refusals.ts'
import { insideMessages as englishInside } from './en/inside.ts'
import { messages as english } from './en/index.ts'
import { formatIn } from './format.ts'
import { formsIn } from './forms.ts'
import { chooseLanguage, formatLocale, languages, type Language } from './languages.ts'
import { languageKey, openWords } from './words-store.ts'

/** Every text of a catalogue with its place; functions are listed by their number of arguments. */
function entries(value: unknown, place = ''): [place: string, text: string][] {
  if (typeof value === 'string') return [[place, value]]
  if (typeof value === 'function') return [[place, `(${value.length})`]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => entries(inner, place === '' ? key : `${place}.${key}`))
}

function openPage(stored: string | null, preferred: readonly string[]) {
  const values = new Map(stored === null ? [] : [[languageKey, stored]])
  const listeners: ((event: StorageEvent) => void)[] = []
  const page = {
    localStorage: { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, value: string) => void values.set(key, value) } as Storage,
    navigator: { languages: preferred },
    addEventListener: ((_type: string, listener: (event: StorageEvent) => void) => void listeners.push(listener)) as Window['addEventListener'],
  }
  return { page, values, tell: (event: Partial<StorageEvent>) => listeners.forEach((listener) => listener(event as StorageEvent)) }
}

async function catalogueOf({ load }: Language) {
  const { messages, areas } = await load()
  const parts = await Promise.all(Object.values(areas).map((fetch): Promise<object> => fetch()))
  return new Map(entries(Object.assign({ ...messages }, ...parts)))
}

describe.each(languages)('the catalogue in $name', (language) => {
  it('has the entries the English one has, and is empty only where that is', async () => {
    const english = await catalogueOf(languages[0] as Language)
    const own = await catalogueOf(language)
    expect([...own.keys()].sort()).toEqual([...english.keys()].sort())
    expect([...english].filter(([place, text]) => (text.trim() === '') !== (own.get(place)?.trim() === ''))).toEqual([])
  })

  it('never shouts, and never says "Oops"', async () => {
    expect([...(await catalogueOf(language))].filter(([, text]) => /[!！](?!\w)|\boops\b/i.test(text))).toEqual([])
  })
})

describe('the words behind the door', () => {
  it('are there for everyone who asked, also while they were on their way', async () => {
    const words = await openWords(openPage(null, ['en']).page)
    void words.loadArea('inside')
    await words.loadArea('inside')
    expect(words.spoken().messages.shell.skipToContent).toBe(englishInside.shell.skipToContent)
  })

  it('name the rarer refusals once somebody may meet one', async () => {
    const words = await openWords(openPage(null, ['en']).page)
    expect(words.spoken().messages.errors.byCode['user_banned']).toBeUndefined()
    await words.loadArea('refusals')
    await words.setLanguage('de')
    expect(words.spoken().messages.errors.byCode).toMatchObject({ user_banned: germanRefusals['user_banned'], invalid_credentials: german.errors.byCode['invalid_credentials'] })
  })

  it('know what the database refuses; the door does without', async () => {
    const words = await openWords(openPage(null, ['en']).page)
    expect(words.spoken().messages.errors.byCode['23505']).toBeUndefined()
    await words.loadArea('inside')
    expect(words.spoken().messages.errors.byCode).toMatchObject({ 23505: englishInside.insideErrors['23505'], invalid_credentials: english.errors.byCode['invalid_credentials'] })
  })

  it('stay when another language was asked for just before them, and are in that language', async () => {
    const words = await openWords(openPage(null, ['en']).page)
    const chosen = words.setLanguage('de')
    await words.loadArea('inside')
    await chosen
    expect(words.spoken()).toMatchObject({ language: { code: 'de' }, messages: { shell: { skipToContent: germanInside.shell.skipToContent } } })
  })

  it('come area by area, and stay together', async () => {
    const words = await openWords(openPage(null, ['en']).page)
    await Promise.all([words.loadArea('connect'), words.loadArea('inside')])
    await words.setLanguage('de')
    expect(words.spoken().messages).toMatchObject({ connect: { submit: germanConnect.connect.submit }, shell: { signOut: germanInside.shell.signOut } })
  })

  it('follow the language chosen last, whichever arrives first', async () => {
    const words = await openWords(openPage(null, ['en']).page)
    await Promise.all([words.loadArea('inside'), words.setLanguage('de'), words.setLanguage('en')])
    expect(words.spoken()).toMatchObject({ language: { code: 'en' }, messages: { shell: { skipToContent: englishInside.shell.skipToContent } } })
  })
})

describe('the language', () => {
  it.each([
    [null, ['de-AT', 'en'], 'de'],
    [null, ['it', 'en-GB'], 'en'],
    [null, ['it'], 'en'],
    ['de', ['en-GB'], 'de'],
    ['xx', ['de'], 'de'],
  ])('with %s chosen and %s preferred is %3$s', (stored, preferred, code) => {
    expect(chooseLanguage(stored, preferred).code).toBe(code)
  })

  it('is written as in the reader\'s own region', () => {
    expect(formatLocale(chooseLanguage(null, ['en-GB']), ['de', 'en-GB'])).toBe('en-GB')
    expect(formatLocale(chooseLanguage('de', []), ['en-GB'])).toBe('de')
    expect(formatLocale(chooseLanguage(null, ['en-US@posix']), ['en-US@posix', 'en-GB'])).toBe('en-GB')
  })

  it('has one kind of digits and one calendar in Arabic, in every country', () => {
    const written = ['ar', 'ar-EG', 'ar-SA', 'ar-MA'].map((tag) => formatIn(formatLocale(chooseLanguage('ar', []), [tag]), 'UTC').date(new Date('2026-11-20T12:00:00Z')).replaceAll(/\P{Nd}/gu, ''))
    expect(new Set(written)).toEqual(new Set(['20112026']))
    expect(formatIn(formatLocale(chooseLanguage('ar', []), ['ar-EG'])).number(4821)).toBe('4,821')
  })

  it('is Simplified Chinese for readers of Traditional, dates included', () => {
    const chinese = chooseLanguage(null, ['zh-Hant-TW', 'en'])
    const now = new Date('2026-11-20T12:00:00Z')
    expect(chinese.code).toBe('zh')
    expect(formatIn(formatLocale(chinese, ['zh-Hant-TW'])).relative(new Date('2026-11-20T11:57:00Z'), now)).toBe('3分钟前')
  })

  it('changes without a reload and is kept', async () => {
    const { page, values } = openPage(null, ['en-GB'])
    const words = await openWords(page)
    await words.setLanguage('de')
    expect(words.spoken()).toMatchObject({ language: { code: 'de' }, messages: { ui: { close: german.ui.close } } })
    expect(values.get(languageKey)).toBe('de')
  })

  it('follows a change in another tab', async () => {
    const { page, tell } = openPage(null, ['en-GB'])
    const words = await openWords(page)
    const changed = new Promise<void>((done) => words.subscribe(done))
    tell({ key: languageKey, newValue: 'de' })
    await changed
    expect(words.spoken().language.code).toBe('de')
  })

  it('brings the words behind the door along once they were asked for', async () => {
    const words = await openWords(openPage('en', []).page)
    expect(words.spoken().messages.shell).toBeUndefined()
    await words.loadArea('inside')
    expect(words.spoken().messages.shell.signOut).toBe(englishInside.shell.signOut)
    await words.setLanguage('de')
    expect(words.spoken().messages.shell.signOut).toBe(germanInside.shell.signOut)
  })
})

describe('forms and formats', () => {
  it('count in the language\'s own plural', () => {
    const { plural } = formsIn('en')
    expect([0, 1, 2, 1234].map((count) => plural(count, { exactlyZero: 'no rows', one: '# row', other: '# rows' }))).toEqual(['no rows', '1 row', '2 rows', '1,234 rows'])
    expect(formsIn('pl').plural(3, { one: 'a', few: 'b', many: 'c', other: 'd' })).toBe('b')
  })

  it('list and choose', () => {
    expect(formsIn('en').list(['a', 'b', 'c'])).toBe('a, b, and c')
    expect(formsIn('de').choice(['a', 'b'])).toBe('a oder b')
  })

  it('tell how long ago, in the reader\'s zone', () => {
    const format = formatIn('en-GB', 'Europe/Berlin')
    const now = new Date('2026-11-20T12:00:00Z')
    expect(format.relative(new Date('2026-11-20T11:57:00Z'), now)).toBe('3 minutes ago')
    expect(format.relative(new Date('2026-11-21T12:00:00Z'), now)).toBe('tomorrow')
    expect(format.dateTime(now)).toBe('20 Nov 2026, 13:00')
    expect(format.bytes(1_430_000)).toBe('1.4 MB')
    expect(format.bytes(1)).toBe('1 byte')
  })
})
