import { describe, expect, it } from 'vitest'
import { formsIn } from './forms.ts'
import { languages, type Language } from './languages.ts'

type Said = string | ((...values: unknown[]) => unknown)

function entries(value: unknown, place = ''): [place: string, said: Said][] {
  if (typeof value === 'string' || typeof value === 'function') return [[place, value as Said]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => entries(inner, place === '' ? key : `${place}.${key}`))
}

async function saidIn({ load }: Language): Promise<Map<string, Said>> {
  const { messages, areas } = await load()
  const parts = await Promise.all(Object.values(areas).map((fetch): Promise<object> => fetch()))
  return new Map(entries(Object.assign({ ...messages }, ...parts)))
}

const marks = ['⟦1⟧', '⟦2⟧', '⟦3⟧']

/** What a text says with a mark in place of each value; null where it wants lists. */
function withMarks(said: Said): string | null {
  if (typeof said === 'string') return said
  try {
    const text = said(...marks)
    return typeof text === 'string' ? text : Array.isArray(text) ? text.join('') : JSON.stringify(text)
  } catch {
    return null
  }
}

async function texts(language: Language): Promise<[place: string, text: string][]> {
  return [...(await saidIn(language))].flatMap(([place, said]) => {
    const text = withMarks(said)
    return text === null || place === 'errors.weakPassword' ? [] : [[place, text] as [string, string]]
  })
}

const [english, ...others] = languages as [Language, ...Language[]]

/** Words that are the same in English: names, marks of the wire, and what the language has taken over. */
const shared = /^(Portico|Ctrl|Shift|Enter|Space|Esc|ETag|JSON|room-1|\/…|8 kB|[=≠<>≤≥]|wallets: .*)$/
const alike: Readonly<Record<string, readonly string[]>> = {
  de: ['optional', 'System', 'Name', 'Passkeys', 'Passkey', 'Schema', 'Filter', 'Board', 'Zoom', 'Bucket', 'Link', 'Details', 'Live', 'Code', 'Text', 'Region', 'Organisation (SAML)', 'Wallet', 'Token', 'Cookies', 'Status'],
  fr: ['Notifications', 'Tables', 'Table', 'Actions', 'Photo', 'Zoom', 'E-mail', 'Public', 'public', 'Type', 'Bucket', 'Messages', 'Message', 'Pause', 'Code', 'Options', 'Session', 'Invitation', 'Organisation (SAML)', 'Audience', 'Cookies', 'Service'],
  es: ['Inspector', 'No', 'Zoom', 'Bucket', 'Token', 'Cookies'],
  pt: ['Zoom', 'E-mail', 'Bucket', 'Link', 'Token', 'Cookies', 'Status'],
  zh: ['Schema'],
}

/** Code in a text follows its own rules: addresses, names of settings, JSON. */
const withoutCode = (text: string) => text.replaceAll(/https?:\/\/[^\s，。、）؛،\u2069]*|\[?\{[^}]*\}\]?|\["[^"]*"\]|"[\w:-]+"|\/\w[\w/.-]*(\?[\w=]+)?|\w+=[\w.]+(\([\d,]+\))?|(mailto|tel|portico):/g, 'X')

interface Fault {
  what: string
  pattern: RegExp
}

const everywhere: readonly Fault[] = [
  { what: 'two spaces', pattern: / {2}/ },
  { what: 'straight quotation marks', pattern: /"/ },
  { what: 'a straight apostrophe', pattern: /\p{L}'\p{L}/u },
  { what: 'three dots for an ellipsis', pattern: /\.\.\.(?!\w)/ },
  { what: 'a space before a full stop or a comma', pattern: /[\p{L}\p{N}] [.,](\s|$)/u },
]

/** Marks that are no part of code: `列=演算子.値` keeps its full stop. */
const halfSquare = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]([,;:?!]|\.(\s|$))/u
const own: Readonly<Record<string, readonly Fault[]>> = {
  de: [{ what: 'quotation marks of another language', pattern: /[«»”]|“\p{L}/u }],
  fr: [
    { what: 'no fixed space before a double sign', pattern: /[^\s\u00A0?] ?(?<!\u00A0)[;?»](\s|$)|« | »/u },
    { what: 'quotation marks of another language', pattern: /[“”„]/ },
  ],
  es: [{ what: 'a question without its opening mark', pattern: /^[^¿]*\p{L}\?/u }],
  pt: [{ what: 'words of Portugal', pattern: /\b(ficheiro|palavra-passe|ecrã|utilizador|telemóvel|eliminar|guardar-se)\b/i }],
  ja: [{ what: 'marks of half a square', pattern: halfSquare }, { what: 'quotation marks of another language', pattern: /[“”]/ }],
  zh: [{ what: 'marks of half a square', pattern: halfSquare }],
  ar: [{ what: 'Latin commas, semicolons or question marks', pattern: /[\p{sc=Arab}][,;?]/u }],
}

/** Words that others would have said for what the terms of the README name. */
const strays: Readonly<Record<string, RegExp>> = {
  de: /Datensatz|Zugangs-Token|jetzige|\bschick/,
  fr: /passkey|administrateurs de cette/i,
  es: /passkey|gestionan|huésped/i,
  pt: /passkey|convidado|quem administra/i,
  ja: /サインイン|サインアウト|要素認証|運営者に/,
  zh: /登出|运营者|第二重/,
}

describe.each(others)('the words in $name', (language) => {
  it('are not left in English', async () => {
    const inEnglish = await saidIn(english)
    const left = [...(await saidIn(language))].filter(([place, said]) => typeof said === 'string' && said !== '' && said === inEnglish.get(place) && !shared.test(said) && !alike[language.code]?.includes(said))
    expect(left).toEqual([])
  })

  it('say every value that the English ones say', async () => {
    const spoken = new Map(await texts(language))
    // A mark that is counted is no number.
    const counted = new Intl.NumberFormat(language.code).format(NaN)
    const silent = (await texts(english)).flatMap(([place, text]) => marks.filter((mark) => text.includes(mark) && !spoken.get(place)?.includes(mark) && !spoken.get(place)?.includes(counted)).map((mark) => `${place} ${mark}`))
    expect(silent).toEqual([])
  })

  it('are set as the language sets them, and keep to its terms', async () => {
    const stray = strays[language.code]
    const faults = [...everywhere, ...(own[language.code] ?? []), ...(stray ? [{ what: 'another word than that of the terms', pattern: stray }] : [])]
    const found = (await texts(language)).flatMap(([place, text]) => faults.filter(({ pattern }) => pattern.test(withoutCode(text))).map(({ what }) => `${place}: ${what}: ${text}`))
    expect(found).toEqual([])
  })
})

/** What stands between the braces of each `plural(…, { … })` of a source. */
function pluralForms(source: string): string[] {
  return [...source.matchAll(/plural\(/g)].flatMap(({ index }) => {
    const start = source.indexOf('{', index)
    let depth = 0
    for (let at = start; at < source.length; at++) {
      if (source[at] === '{') depth++
      if (source[at] === '}' && --depth === 0) return [source.slice(start, at)]
    }
    return []
  })
}

it('Arabic counts with all its six forms', () => {
  const sources = import.meta.glob<string>('./ar/*.ts', { query: '?raw', import: 'default', eager: true })
  const counted = Object.values(sources).flatMap(pluralForms)
  const lacking = counted.filter((forms) => !['zero', 'one', 'two', 'few', 'many', 'other'].every((category) => forms.includes(`${category}:`)))
  expect(counted.length).toBeGreaterThan(50)
  expect(lacking).toEqual([])
})

it('sentences are joined with the full stop of the language, and get none twice', () => {
  expect(formsIn('en').sentences('Not saved', 'Try again.', '')).toBe('Not saved. Try again.')
  expect(formsIn('fr').sentences('Tout est prêt ?', 'Oui')).toBe('Tout est prêt ? Oui')
  expect(formsIn('ja').sentences('保存できませんでした', 'もう一度お試しください。')).toBe('保存できませんでした。もう一度お試しください。')
  expect(formsIn('zh').sentences('未保存。', '请重试。')).toBe('未保存。请重试。')
})
