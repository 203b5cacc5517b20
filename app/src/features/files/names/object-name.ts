/** Paths are slash-separated, without a slash at either end: `reports/2026/june.pdf`. The bucket's top folder is the empty text. */

/** What a folder without files is kept by, as the hosted dashboard does it. It is never shown. */
export const placeholderName = '.emptyFolderPlaceholder'

/** `june.pdf` of `reports/2026/june.pdf`. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

/** `reports/2026` of `reports/2026/june.pdf`; empty at the top. */
export const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')))

export const joinPath = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

/** Every folder on the way down, the top left out: `['reports', 'reports/2026']`. */
export const foldersDownTo = (folder: string): string[] =>
  folder === '' ? [] : folder.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/'))

/** Whether `path` is the folder itself or lies below it. */
export const isWithin = (folder: string, path: string): boolean => folder === '' || path === folder || path.startsWith(`${folder}/`)

/** The letters storage takes in a name. @see supabase/storage `src/storage/limits.ts`, `isValidKey` */
const allowed = /^[\w!.*'() &$=@;:+,?-]+$/

/** Why a name of one file or folder cannot be used; undefined when it can. */
export function nameFault(name: string): 'empty' | 'slash' | 'dots' | 'letters' | 'long' | undefined {
  if (name.trim() === '') return 'empty'
  if (name.includes('/')) return 'slash'
  // The browser itself would resolve these in an address.
  if (name === '.' || name === '..') return 'dots'
  if (name.length > 255) return 'long'
  return allowed.test(name) ? undefined : 'letters'
}

const written: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', Æ: 'AE', ø: 'o', Ø: 'O', œ: 'oe', Œ: 'OE', ł: 'l', Ł: 'L', đ: 'd', Đ: 'D', þ: 'th', Þ: 'Th', '–': '-', '—': '-', '’': "'", '‘': "'", '“': "'", '”': "'", '…': '...' }

/** The nearest name storage takes: `Übersicht – März.pdf` becomes `Ubersicht - Marz.pdf`. */
export function plainName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .replaceAll(/[^\w!.*'() &$=@;:+,?-]/gu, (letter) => written[letter] ?? '_')
    .slice(-255)
  return nameFault(plain) === undefined ? plain : `_${plain.replaceAll('.', '_')}`
}

/** `[june, .pdf]`; what starts with its only dot has no ending. */
export function splitEnding(name: string): [stem: string, ending: string] {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
}

/** A name beside those taken: `june (2).pdf`. */
export function freeName(name: string, isTaken: (name: string) => boolean): string {
  if (!isTaken(name)) return name
  const [stem, ending] = splitEnding(name)
  const bare = stem.replace(/ \(\d{1,4}\)$/, '')
  for (let number = 2; ; number += 1) {
    const candidate = `${bare} (${number})${ending}`
    if (!isTaken(candidate)) return candidate
  }
}

/** A path as the official client takes it for an address: it encodes what an address cannot hold, but leaves this. */
export const wirePath = (path: string): string => path.replaceAll('?', '%3F')
