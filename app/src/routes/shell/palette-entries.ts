import type { IconName } from '#ui/icon.tsx'

export interface PaletteEntry {
  id: string
  label: string
  icon: IconName
  /** Muted, at the end of the line. */
  hint?: string | undefined
  /** Further words it is found by. */
  words?: string | undefined
  run: () => void
}

export interface PaletteGroup {
  id: string
  heading: string
  entries: readonly PaletteEntry[]
  /** Shown only when something was typed. */
  onlyFound?: boolean | undefined
}

const shownAtMost = 8

/** What fits every word typed, the best first in each group: a label that starts with it, a word that does, then any place. */
export function findEntries(groups: readonly PaletteGroup[], text: string): PaletteGroup[] {
  const sought = fold(text).split(/\s+/).filter(Boolean)
  return groups
    .filter(({ onlyFound }) => !onlyFound || sought.length > 0)
    .map((group) => ({ ...group, entries: rank(group.entries, sought).slice(0, sought.length > 0 ? shownAtMost : undefined) }))
    .filter(({ entries }) => entries.length > 0)
}

function rank(entries: readonly PaletteEntry[], sought: readonly string[]): PaletteEntry[] {
  if (sought.length === 0) return [...entries]
  return entries
    .map((entry) => ({ entry, score: score(entry, sought) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ entry }) => entry)
}

function score({ label, hint = '', words = '' }: PaletteEntry, sought: readonly string[]): number {
  const [name, rest] = [fold(label), fold(`${hint} ${words}`)]
  const scores = sought.map((word) => {
    if (name.startsWith(word)) return 4
    if (name.split(/[\s_-]+/).some((part) => part.startsWith(word))) return 3
    return name.includes(word) ? 2 : rest.includes(word) ? 1 : 0
  })
  return scores.includes(0) ? 0 : scores.reduce<number>((sum, one) => sum + one, 0)
}

/** Case and accents do not count: "uber" finds "Über". */
const fold = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
