import { useEffect, useMemo, useRef } from 'react'
import { navigate } from 'wouter/use-browser-location'
import type { Task } from '#features/files/actions/task.ts'
import type { Entry } from '#features/files/names/entry.ts'
import type { BucketView } from './bucket-screen.tsx'
import type { RowDeeds } from './file-row.tsx'
import type { KeyDeeds } from './grid-keys.ts'
import { entryHref, goUp } from './use-bucket-view.ts'

interface Asked {
  onTask: (task: Task) => void
  onMenu: (menu: { entries: readonly Entry[]; at: { x: number; y: number } }) => void
}

/** What rows and keys do, as functions that stay the same: a row is drawn anew only when it changes itself. */
export function useRowDeeds(shared: BucketView, asked: Asked): RowDeeds & KeyDeeds {
  const latest = useRef({ shared, asked })
  useEffect(() => {
    latest.current = { shared, asked }
  })
  const { address } = shared
  return useMemo(() => {
    const view = () => latest.current.shared
    const task = (wanted: Task) => latest.current.asked.onTask(wanted)
    const open = (entry: Entry) => navigate(entryHref(view().address, entry))
    return {
      // Links are drawn, so they change with the address.
      hrefOf: (entry) => entryHref(address, entry),
      open,
      preview: open,
      press: (index, how) => {
        const { selection, entries } = view()
        const entry = entries[index]
        if (how === 'tapped' && selection.chosen.size === 0 && entry) open(entry)
        else if (how === 'tapped') selection.toggle(index)
        else if (how === 'until') selection.extend(index)
        else if (how === 'added') selection.toggle(index)
        else selection.choose(index)
      },
      menu: (index, at) => {
        const { selection, entries } = view()
        const entry = entries[index]
        if (!entry) return
        const isInside = selection.chosen.has(entry.path)
        if (!isInside) selection.choose(index)
        latest.current.asked.onMenu({ entries: isInside ? selection.entries : [entry], at })
      },
      rename: (entry) => void (view().permissions.may('move', entry.path) && task({ kind: 'rename', entry })),
      remove: (entry) => {
        const { selection, permissions } = view()
        const wanted = selection.chosen.has(entry.path) ? selection.entries : [entry]
        if (wanted.every(({ path }) => permissions.may('delete', path))) task({ kind: 'delete', entries: wanted })
      },
      up: () => goUp(view().address),
    }
  }, [address])
}
