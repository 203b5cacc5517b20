import { createContext, use } from 'react'
import type { RelationView } from '#features/data/grid/relation-screen.tsx'
import type { ShownColumn } from '#features/data/grid/shown-column.ts'
import type { Row } from '#features/data/rows/row.ts'
import type { Selection } from '#features/data/rows/selection.ts'
import { useMessages } from '#messages/messages.tsx'
import type { ReactNode } from 'react'
import type { BoardState, BoardStore } from './board-store.ts'
import type { BoardWanted } from './cards-query.ts'
import type { Group } from './groups.ts'

/** A card on its way: under the pointer, or picked up by key. */
export interface Carried {
  row: Row
  id: string
  from: Group
  /** The column it would be dropped in. */
  over: Group
  by: 'pointer' | 'keys'
}

/** What all parts of a board share. */
export interface BoardView {
  shared: RelationView
  wanted: BoardWanted
  embeds: Selection['embeds']
  groups: readonly Group[]
  store: BoardStore
  state: BoardState
  canMove: boolean
  /** What a card says beside its title, the most telling first. */
  telling: readonly ShownColumn[]
  titleOf: (row: Row) => string
  peopleAt: (row: Row) => ReactNode
  carried: Carried | undefined
  carry: (carried: Carried | undefined) => void
  /** Moves a card and says what became of it. */
  move: (row: Row, to: Group, options?: { isFocused?: boolean }) => void
}

const Context = createContext<BoardView | undefined>(undefined)

export const BoardProvider = Context

export function useBoard(): BoardView {
  const board = use(Context)
  if (!board) throw new Error('useBoard needs a board above it')
  return board
}

export const useBoardWords = () => useMessages().board

/** What a column is called. */
export function useGroupLabel(): (group: Group) => string {
  const { board, data } = useMessages()
  return ({ kind, label, value }) => (kind === 'null' ? board.notSet : kind === 'others' ? board.others : (label ?? (value === true ? data.yes : data.no)))
}

/** Groups a card may be dropped in. */
export const isOpenTo = ({ kind }: Group): boolean => kind !== 'others'
