import type { KeyboardEvent, RefObject } from 'react'
import { useLocale } from '#messages/messages.tsx'
import { useAnnounce } from '#ui/announcer.tsx'
import { isOpenTo, useBoardWords, useGroupLabel, type BoardView } from './board-view.ts'
import { countIn, type Cards } from './cards.ts'
import { cardsQuery } from './cards-query.ts'
import type { Group } from './groups.ts'
import { useQueryClient } from '@tanstack/react-query'

const listOf = (column: Element): HTMLElement[] => [...column.querySelectorAll<HTMLElement>('[data-card]')]

/** Arrows go from card to card and from column to column; Space picks a card up, and then the arrows choose where it goes. */
export function useBoardKeys(board: BoardView, scroller: RefObject<HTMLElement | null>): (event: KeyboardEvent<HTMLElement>) => void {
  const words = useBoardWords()
  const labelOf = useGroupLabel()
  const announce = useAnnounce()
  const queries = useQueryClient()
  const { direction } = useLocale()
  const { carried, groups, store, shared, wanted } = board

  const over = (group: Group): string => {
    const cards = queries.getQueryData<Cards>(cardsQuery(shared.source, wanted, group).queryKey)
    const count = cards && countIn(cards)
    return count === undefined ? labelOf(group) : words.over(labelOf(group), words.cards(count))
  }

  const carryOn = (event: KeyboardEvent, step: number): boolean => {
    if (!carried) return false
    const name = board.titleOf(carried.row)
    if (step !== 0) {
      const open = groups.filter(isOpenTo)
      const next = open[open.findIndex(({ id }) => id === carried.over.id) + step]
      if (!next) return true
      board.carry({ ...carried, over: next })
      columnIn(scroller.current, next.id)?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      announce(over(next))
      return true
    }
    if (event.key === ' ' || event.key === 'Enter') {
      board.carry(undefined)
      announce(carried.over.id === carried.from.id ? words.leftThere(name, labelOf(carried.from)) : words.dropped(name, labelOf(carried.over)))
      board.move(carried.row, carried.over, { isFocused: true })
      return true
    }
    if (event.key !== 'Escape') return ['ArrowUp', 'ArrowDown', 'Home', 'End'].includes(event.key)
    board.carry(undefined)
    announce(words.leftThere(name, labelOf(carried.from)))
    return true
  }

  const pickUp = (card: HTMLElement): boolean => {
    const row = store.loaded().find((one) => store.idOf(one) === card.dataset['card'])
    const from = groups.find(({ id }) => id === card.closest<HTMLElement>('[data-group]')?.dataset['group'])
    if (!board.canMove || !row || !from) return false
    board.carry({ row, id: store.idOf(row), from, over: from, by: 'keys' })
    announce(words.pickedUp(board.titleOf(row), labelOf(from)))
    return true
  }

  return (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return
    const card = (event.target as HTMLElement).closest<HTMLElement>('[data-card]')
    // Keys of buttons on the card are their own.
    if (!card || !(event.target instanceof HTMLAnchorElement)) return
    const forward = direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
    const step = event.key === forward ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowRight' ? -1 : 0
    const isTaken = carried?.by === 'keys' ? carryOn(event, step) : event.key === ' ' ? pickUp(card) : goTo(card, event.key, step)
    if (isTaken) event.preventDefault()
  }
}

const columnIn = (board: HTMLElement | null, id: string): HTMLElement | undefined =>
  [...(board?.querySelectorAll<HTMLElement>('[data-group]') ?? [])].find((column) => column.dataset['group'] === id)

/** Moves the focus to another card; false where there is none. */
function goTo(card: HTMLElement, key: string, step: number): boolean {
  const column = card.closest('[data-group]')
  if (!column) return false
  const cards = listOf(column)
  const at = cards.indexOf(card)
  const focus = (next: HTMLElement | undefined): boolean => {
    next?.querySelector('a')?.focus()
    return next !== undefined
  }
  switch (key) {
    case 'ArrowDown': return focus(cards[at + 1])
    case 'ArrowUp': return focus(cards[at - 1])
    case 'Home': return focus(cards[0])
    case 'End': return focus(cards.at(-1))
  }
  if (step === 0) return false
  let beside = step > 0 ? column.nextElementSibling : column.previousElementSibling
  // Empty columns have no card to stop at.
  while (beside && listOf(beside).length === 0) beside = step > 0 ? beside.nextElementSibling : beside.previousElementSibling
  const others = beside ? listOf(beside) : []
  return focus(others[Math.min(at, others.length - 1)])
}
