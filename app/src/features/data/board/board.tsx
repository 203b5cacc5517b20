import { useQuery } from '@tanstack/react-query'
import { useId, useRef } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { DataFailure } from '#features/data/data-failure.tsx'
import type { LiveOverlay } from '#features/data/grid/live-overlay.ts'
import { NothingThere } from '#features/data/grid/nothing-there.tsx'
import type { RelationView } from '#features/data/grid/relation-screen.tsx'
import { pickerOf, type Choice, type Picker } from '#features/data/rows/choices-query.ts'
import { countQuery } from '#features/data/rows/rows-query.ts'
import { relationLabel } from '#features/data/words.ts'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { BoardBar } from './board-bar.tsx'
import { BoardColumn } from './board-column.tsx'
import { useBoardKeys } from './board-keys.ts'
import css from './board.module.css'
import { BoardProvider, useBoardWords } from './board-view.ts'
import { targetsQuery } from './cards-query.ts'
import { ColumnJump } from './column-jump.tsx'
import { mostTargets, writeGrouping, type Grouping } from './grouping.ts'
import { useBoardLive } from './use-board-live.tsx'
import { useBoardView } from './use-board-view.tsx'

export interface BoardProps {
  shared: RelationView
  grouping: Grouping
  onOverlay: (overlay: LiveOverlay | undefined) => void
}

/** A relation's rows as cards, in a column for each value one of its columns can hold. */
export function Board({ shared, grouping, onOverlay }: BoardProps) {
  const picker = grouping.fk && pickerOf(shared.description, grouping.fk)
  const props = { shared, grouping, onOverlay }
  return (
    <div className={css.screen}>
      <BoardBar shared={shared} grouping={grouping} />
      {picker ? <BoardOfRows key={grouping.column.name} {...props} picker={picker} /> : <BoardOf key={grouping.column.name} {...props} targets={none} />}
    </div>
  )
}

const none: readonly Choice[] = []

/** A board whose columns are other rows: they are read first. */
function BoardOfRows({ picker, ...props }: BoardProps & { picker: Picker }) {
  const words = useBoardWords()
  const targets = useQuery(targetsQuery(props.shared.source, picker))
  if (targets.isPending) return <div className={css.place}><Skeleton label={words.loadingBoard} lines={6} /></div>
  if (targets.isError) return <div className={css.place}><DataFailure error={targets.error} onRetry={() => void targets.refetch()} retrying={targets.isFetching} /></div>
  const isFew = targets.data.length <= mostTargets
  if (isFew && targets.data.length > 0) return <BoardOf {...props} targets={targets.data} />
  const name = relationLabel(picker.target)
  const back = <Button onClick={() => navigate(`${location.pathname}${writeGrouping(location.search, undefined)}`)}>{words.backToGrid}</Button>
  return (
    <div className={css.place}>
      <EmptyState icon="columns" title={isFew ? words.noTargets(name) : words.tooMany(name, mostTargets)} action={back}>
        {isFew ? words.noTargetsHint : words.tooManyHint}
      </EmptyState>
    </div>
  )
}

function BoardOf({ shared, grouping, targets, onOverlay }: BoardProps & { targets: readonly Choice[] }) {
  const words = useBoardWords()
  const board = useBoardView(shared, grouping, targets)
  const withPeople = useBoardLive(board, onOverlay)
  const scroller = useRef<HTMLDivElement>(null)
  const onKeyDown = useBoardKeys(withPeople, scroller)
  const hintId = useId()
  const total = useQuery(countQuery(shared.source, shared))

  const isNarrowed = shared.view.filter.length > 0 || shared.view.search !== ''

  // Where one may add, empty columns are where it starts.
  if (total.data?.exact === true && total.data.rows === 0 && (isNarrowed || !shared.relation.can.insert)) return <div className={css.place}><NothingThere shared={shared} /></div>
  return (
    <BoardProvider value={withPeople}>
      <ColumnJump scroller={scroller} groups={board.groups} />
      <div
        ref={scroller}
        className={css.board}
        role="region"
        aria-label={words.board(relationLabel(shared.relation))}
        onKeyDown={onKeyDown}
        data-carrying={board.carried?.by}
      >
        {board.groups.map((group) => <BoardColumn key={group.id} group={group} scroller={scroller} hintId={hintId} />)}
      </div>
      {board.canMove && <VisuallyHidden id={hintId}>{words.keysHint}</VisuallyHidden>}
    </BoardProvider>
  )
}
