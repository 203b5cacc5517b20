import { useCallback, useMemo, useRef, useState } from 'react'
import type { Entry } from '#features/files/names/entry.ts'

/** What is selected, and where the keys are, both by path: lists change under them. */
export interface FileSelection {
  chosen: ReadonlySet<string>
  entries: readonly Entry[]
  /** The row the keys are on; -1 when the list is empty. */
  focused: number
  /** Selects this one alone. */
  choose: (index: number) => void
  toggle: (index: number) => void
  /** Everything between the last one chosen and this one. */
  extend: (index: number) => void
  /** Moves the keys and selects nothing. */
  focus: (index: number) => void
  chooseAll: () => void
  clear: () => void
}

const pathsOf = (entries: readonly Entry[]): ReadonlySet<string> => new Set(entries.map(({ path }) => path))

/** Holds the selection of one list; `first` are the names the address selects, `from` is the entry the keys begin at. */
export function useSelection(all: readonly Entry[], first: readonly string[], from: string | undefined): FileSelection {
  const [chosen, setChosen] = useState<ReadonlySet<string>>()
  const [focusedPath, setFocusedPath] = useState<string | undefined>(from)
  const anchor = useRef<string>(undefined)
  const byName = useMemo(() => pathsOf(all.filter(({ name }) => first.includes(name))), [all, first])
  const wanted = chosen ?? byName
  const entries = useMemo(() => all.filter(({ path }) => wanted.has(path)), [all, wanted])
  const focused = Math.max(all.length > 0 ? 0 : -1, all.findIndex(({ path }) => path === focusedPath))

  const settle = useCallback((entry: Entry | undefined, isAnchor: boolean) => {
    setFocusedPath(entry?.path)
    if (isAnchor) anchor.current = entry?.path
  }, [])
  return useMemo(
    () => ({
      chosen: pathsOf(entries),
      entries,
      focused,
      choose: (index) => {
        const entry = all[index]
        settle(entry, true)
        setChosen(new Set(entry ? [entry.path] : []))
      },
      toggle: (index) => {
        const entry = all[index]
        settle(entry, true)
        if (!entry) return
        const next = new Set(wanted)
        if (!next.delete(entry.path)) next.add(entry.path)
        setChosen(next)
      },
      extend: (index) => {
        const from = Math.max(0, all.findIndex(({ path }) => path === anchor.current))
        settle(all[index], false)
        setChosen(pathsOf(all.slice(Math.min(from, index), Math.max(from, index) + 1)))
      },
      focus: (index) => settle(all[index], false),
      chooseAll: () => setChosen(pathsOf(all)),
      clear: () => setChosen(new Set()),
    }),
    [all, entries, focused, wanted, settle],
  )
}
