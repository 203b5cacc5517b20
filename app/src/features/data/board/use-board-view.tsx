import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import type { Title } from '#features/data/description/title.ts'
import { cellText, recordTitle } from '#features/data/grid/cell-text.ts'
import type { RelationView } from '#features/data/grid/relation-screen.tsx'
import { tellingFields } from '#features/data/grid/telling-fields.ts'
import { keyOf } from '#features/data/rows/address.ts'
import type { Choice } from '#features/data/rows/choices-query.ts'
import { plainText } from '#features/data/rows/csv.ts'
import type { Row } from '#features/data/rows/row.ts'
import { selectionOf } from '#features/data/rows/selection.ts'
import { readView, writeView } from '#features/data/view/view-state.ts'
import { useAnnounce } from '#ui/announcer.tsx'
import { useToast } from '#ui/toaster.tsx'
import { BoardStore, type BoardParts } from './board-store.ts'
import { useBoardWords, useGroupLabel, type BoardView, type Carried } from './board-view.ts'
import { canMove, type Grouping } from './grouping.ts'
import { groupFor, groupsOf, type Group } from './groups.ts'
import { orderKeys, rowOrder } from './order.ts'

/** A card has room for three; what is not set leaves its place to the next. */
const mostTelling = 7

/** Everything the parts of one board share, but for who else is there. */
export function useBoardView(shared: RelationView, grouping: Grouping, targets: readonly Choice[]): BoardView {
  const { description, relation, title, view, source } = shared
  const queries = useQueryClient()
  const groups = useMemo(() => groupsOf(grouping, targets), [grouping, targets])
  const telling = useMemo(
    () => tellingFields(relation, shared.shown.filter(({ column }) => column.name !== grouping.column.name), title).slice(0, mostTelling),
    [relation, shared.shown, grouping, title],
  )
  const viewText = writeView(view)
  const { wanted, embeds } = useMemo(() => {
    const read = readView(viewText)
    const names = new Set([grouping.column.name, ...titling(title), ...telling.map(({ column }) => column.name), ...orderKeys(relation, read.sort).map(({ column }) => column)])
    const selection = selectionOf(description, relation, [...names])
    return { wanted: { relation, view: read, select: selection.text, grouping }, embeds: selection.embeds }
  }, [description, relation, title, telling, grouping, viewText])

  const store = useStore({ queries, source, wanted, groups, compare: useMemo(() => rowOrder(description, relation, wanted.view.sort), [description, relation, wanted]) })
  const state = useSyncExternalStore(store.subscribe, store.state)
  const [carried, carry] = useState<Carried>()
  const isCarrying = carried !== undefined
  useEffect(() => store.dragging(isCarrying), [store, isCarrying])

  const titleOf = (row: Row): string => {
    const own = recordTitle(title, row, { key: keyOf(relation, row) ?? [], embeds })
    const [first] = telling
    return own || (first ? plainText(cellText(first, row)) : '')
  }
  const move = useMove({ store, groups, grouping, titleOf })
  return { shared, wanted, embeds, groups, store, state, telling, titleOf, carried, carry, move, canMove: canMove(relation, grouping), peopleAt: () => null }
}

const titling = (title: Title): readonly string[] => (title.from === 'key' ? title.columns : title.from === 'row' ? title.fk.columns : [title.column])

function useStore({ queries, source, wanted, groups, compare }: BoardParts): BoardStore {
  const store = useMemo(() => new BoardStore({ queries, source, wanted, groups, compare }), [queries, source, wanted, groups, compare])
  useEffect(() => store.open(), [store])
  return store
}

/** Moves a card, offers to take it back, and says what became of it where nothing on the card can. */
function useMove({ store, groups, grouping, titleOf }: { store: BoardStore; groups: readonly Group[]; grouping: Grouping; titleOf: (row: Row) => string }): BoardView['move'] {
  const words = useBoardWords()
  const labelOf = useGroupLabel()
  const toast = useToast()
  const announce = useAnnounce()
  return (row, to, { isFocused = false } = {}) => {
    const from = groupFor(groups, grouping, row)
    const name = titleOf(row)
    const id = store.idOf(row)
    const moved = store.move(row, to)
    if (isFocused) focusSoon(id)
    void moved.then((done) => {
      if (isFocused && done.outcome !== 'gone') focusSoon(id)
      if (done.outcome === 'gone') return toast({ text: words.gone(name), tone: 'warning' })
      // The card itself says why.
      if (done.outcome !== 'done') return undefined
      const takeBack = () => {
        const now = store.loaded().find((one) => store.idOf(one) === id)
        if (now && from) void store.move(now, from).then((back) => back.outcome === 'done' && announce(words.moved(name, labelOf(from))))
      }
      return toast({ text: words.moved(name, labelOf(to)), ...(from && from.kind !== 'others' ? { action: { label: words.undo, onPress: takeBack } } : {}) })
    })
  }
}

/** The card's own link keeps the focus from one column to the next. */
function focusSoon(id: string): void {
  requestAnimationFrame(() => requestAnimationFrame(() => {
    const card = [...document.querySelectorAll<HTMLElement>('[data-card]')].find((element) => element.dataset['card'] === id)
    if (document.activeElement === null || document.activeElement === document.body || card?.contains(document.activeElement) === false) card?.querySelector('a')?.focus()
  }))
}

