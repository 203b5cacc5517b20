import type { KeyboardEvent } from 'react'
import type { Entry } from '#features/files/names/entry.ts'
import type { FileSelection } from './use-selection.ts'

/** What keys do besides moving. */
export interface KeyDeeds {
  open: (entry: Entry) => void
  /** Shows a file without leaving the list. */
  preview: (entry: Entry) => void
  rename: (entry: Entry) => void
  /** Deletes the selection when the entry is in it, else the entry. */
  remove: (entry: Entry) => void
  up: () => void
}

interface Keyed {
  entries: readonly Entry[]
  selection: FileSelection
  deeds: KeyDeeds
  pageRows: number
  /** The row the key was pressed on. */
  at: number
}

type Pressed = Pick<KeyboardEvent<HTMLElement>, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey'>

/** Does what a key asks for. Gives the row it moved to, -1 when it moved nowhere, undefined when the key was not ours. */
export function readKey(event: Pressed, { entries, selection, deeds, pageRows, at }: Keyed): number | undefined {
  const mod = event.ctrlKey || event.metaKey
  const next = stepTo(event, { from: at, last: entries.length - 1, pageRows })
  if (next !== undefined) {
    if (event.shiftKey) selection.extend(next)
    else if (mod && event.key.startsWith('Arrow')) selection.focus(next)
    else selection.choose(next)
    return next
  }
  const entry = entries[at]
  const done = act(event, { entry, at, selection, deeds }) ? -1 : undefined
  return done ?? typed(event, { entries, at, selection })
}

function stepTo({ key, altKey }: Pressed, { from, last, pageRows }: { from: number; last: number; pageRows: number }): number | undefined {
  if (altKey || last < 0) return undefined
  const to = { ArrowDown: from + 1, ArrowUp: from - 1, PageDown: from + pageRows, PageUp: from - pageRows, Home: 0, End: last }[key]
  return to === undefined ? undefined : Math.max(0, Math.min(last, to))
}

function act(event: Pressed, { entry, at, selection, deeds }: { entry: Entry | undefined; at: number; selection: FileSelection; deeds: KeyDeeds }): boolean {
  const mod = event.ctrlKey || event.metaKey
  const { key } = event
  if (key === 'Backspace' || (key === 'ArrowUp' && event.altKey)) deeds.up()
  else if (key === 'a' && mod) selection.chooseAll()
  else if (key === 'Escape' && selection.chosen.size > 0) selection.clear()
  else if (!entry) return false
  else if (key === 'Enter' && !mod) deeds.open(entry)
  else if (key === ' ' && (mod || entry.kind === 'folder')) selection.toggle(at)
  else if (key === ' ') deeds.preview(entry)
  else if (key === 'F2') deeds.rename(entry)
  else if (key === 'Delete') {
    // What is deleted is what is selected, and the row the key was pressed on is always part of it.
    if (!selection.chosen.has(entry.path)) selection.choose(at)
    deeds.remove(entry)
  } else return false
  return true
}

let typedText = ''
let typedAt = 0

/** Letters lead to the next name that begins with them. */
function typed({ key, ctrlKey, metaKey, altKey }: Pressed, { entries, at, selection }: Pick<Keyed, 'entries' | 'at' | 'selection'>): number | undefined {
  // `?` belongs to the page.
  if (key.length !== 1 || key === ' ' || key === '?' || ctrlKey || metaKey || altKey) return undefined
  const now = Date.now()
  typedText = now - typedAt < 800 ? typedText + key.toLowerCase() : key.toLowerCase()
  typedAt = now
  const from = typedText.length === 1 ? at + 1 : at
  const order = [...entries.keys()].map((step) => (from + step) % entries.length)
  const found = order.find((index) => entries[index]?.name.toLowerCase().startsWith(typedText))
  if (found === undefined) return -1
  selection.choose(found)
  return found
}
