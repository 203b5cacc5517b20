import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type DragEvent, type ReactNode, type RefObject } from 'react'
import { toAppError } from '#api/unwrap.ts'
import { dataPath } from '#features/data/rows/address.ts'
import type { Row } from '#features/data/rows/row.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Chip } from '#ui/chip.tsx'
import { classNames } from '#ui/class-names.ts'
import { Skeleton, SkeletonShape } from '#ui/skeleton.tsx'
import css from './board.module.css'
import { isOpenTo, useBoard, useBoardWords, useGroupLabel } from './board-view.ts'
import { Card } from './card.tsx'
import { countIn, isWhole, rowsIn } from './cards.ts'
import { cardsQuery } from './cards-query.ts'
import type { Group } from './groups.ts'

export interface BoardColumnProps {
  group: Group
  /** What the columns scroll in. */
  scroller: RefObject<HTMLElement | null>
  /** Says how a card is moved by keys. */
  hintId: string
}

/** One column: its cards are read when it comes near, a page at a time. */
export function BoardColumn({ group, scroller, hintId }: BoardColumnProps) {
  const board = useBoard()
  const words = useBoardWords()
  const labelOf = useGroupLabel()
  const { shared: { source }, wanted, store, state, carried, canMove } = board
  const column = useRef<HTMLElement>(null)
  const list = useRef<HTMLUListElement>(null)
  // A column of no value or of others is there only when it holds something: that is asked at once.
  const isOptional = group.kind === 'others' || (group.kind === 'null' && !canMove)
  const isNear = useNear(column, scroller, isOptional)
  const cards = useInfiniteQuery({ ...cardsQuery(source, wanted, group), enabled: isNear, placeholderData: keepPreviousData })
  const rows = cards.data ? rowsIn(cards.data, store.idOf) : []
  const dropping = useDropping(group)
  const [wasFilled, setWasFilled] = useState(false)
  if (rows.length > 0 && !wasFilled) setWasFilled(true)
  // One that goes while one works beside it would pull the others along.
  if (isOptional && !wasFilled && !cards.isError) return null

  const label = labelOf(group)
  const isTarget = carried?.over.id === group.id && carried.from.id !== group.id
  return (
    <section
      ref={column}
      className={classNames(css.column, isTarget && css.target)}
      aria-label={label}
      data-group={group.id}
      onPointerEnter={() => store.hold(group.id)}
      onPointerLeave={() => store.release(group.id)}
      {...dropping}
    >
      <Head group={group} label={label} count={cards.data && countIn(cards.data)} atLeast={rows.length} isKnown={cards.data !== undefined} />
      {(state.waiting.get(group.id) ?? 0) > 0 && (
        <button type="button" className={css.waiting} title={words.waitingHint} onClick={() => store.showWaiting(group.id)}>{words.waiting(state.waiting.get(group.id) ?? 0)}</button>
      )}
      {cards.isError && !cards.data
        ? <Failed error={cards.error} isTrying={cards.isFetching} onRetry={() => void cards.refetch()} />
        : cards.data === undefined
          ? <div className={css.outlines}><Skeleton label={words.loadingCards(label)}><Outlines /></Skeleton></div>
          : (
              <CardList
                {...{ rows, hintId, list, label }}
                more={isWhole(cards.data) ? null : <More key={rows.length} list={list} isFailed={cards.isFetchNextPageError} onMore={() => void (cards.isFetching || cards.fetchNextPage())} />}
              />
            )}
    </section>
  )
}

interface HeadProps {
  group: Group
  label: string
  count: number | undefined
  atLeast: number
  isKnown: boolean
}

function Head({ group, label, count, atLeast, isKnown }: HeadProps) {
  const { shared: { relation }, wanted: { grouping } } = useBoard()
  const words = useBoardWords()
  const format = useFormat()
  const isTinted = group.kind === 'value' && (grouping.kind === 'enum' || grouping.kind === 'choice')
  const isOffered = isOpenTo(group) && relation.can.insert && grouping.column.can.includes('i')
  return (
    <header className={css.head}>
      <h2 className={css.label} title={label}>{isTinted ? <Chip value={label}>{label}</Chip> : label}</h2>
      {isKnown && (
        <span className={css.count}>
          <span aria-hidden>{count === undefined ? words.atLeast(atLeast) : format.number(count)}</span>
          <span className={css.hidden}>{words.cards(count ?? atLeast)}</span>
        </span>
      )}
      {isOffered && <ButtonLink className={css.add} variant="quiet" icon="plus" href={newHref(relation, grouping.column.name, group)} aria-label={words.newIn(label)} title={words.newIn(label)} />}
    </header>
  )
}

/** The form for a new row that holds this column's value. */
function newHref({ schema, name }: { schema: string; name: string }, column: string, { value }: Group): string {
  const search = new URLSearchParams(location.search)
  if (value !== null) search.set(`set.${column}`, String(value))
  return `${dataPath(schema, name, 'new')}?${search.toString()}`
}

function CardList({ rows, hintId, list, label, more }: { rows: readonly Row[]; hintId: string; list: RefObject<HTMLUListElement | null>; label: string; more: ReactNode }) {
  const { store, state, carried } = useBoard()
  const words = useBoardWords()
  const [active, setActive] = useState<string>()
  const ids = rows.map(store.idOf)
  // One stop for the Tab key: the card one was at last, else the first.
  const stop = active !== undefined && ids.includes(active) ? active : ids[0]
  return (
    <ul ref={list} className={css.list} aria-label={label}>
      {rows.map((row, index) => {
        const id = ids[index] ?? ''
        return (
          <Card
            key={id}
            {...{ row, id, hintId }}
            isStop={id === stop}
            mark={state.marks.get(id)}
            note={state.notes.get(id)}
            isMoving={state.moving.has(id)}
            isCarried={carried?.id === id}
            onSettle={setActive}
          />
        )
      })}
      {rows.length === 0 && <li className={css.empty}>{carried ? words.dropHere : words.noCards}</li>}
      {more}
    </ul>
  )
}

/** Reads on when the end of the column comes near. */
function More({ list, isFailed, onMore }: { list: RefObject<HTMLUListElement | null>; isFailed: boolean; onMore: () => void }) {
  const words = useBoardWords()
  const end = useRef<HTMLLIElement>(null)
  const latest = useRef(onMore)
  useEffect(() => {
    latest.current = onMore
  })
  useEffect(() => {
    if (!end.current || isFailed) return
    const watch = new IntersectionObserver(([entry]) => entry?.isIntersecting === true && latest.current(), { root: list.current, rootMargin: '600px 0px' })
    watch.observe(end.current)
    return () => watch.disconnect()
  }, [list, isFailed])
  return <li ref={end} className={css.more}><Button variant="quiet" onClick={onMore}>{isFailed ? words.tryAgain : words.loadMore}</Button></li>
}

function Failed({ error, isTrying, onRetry }: { error: Error; isTrying: boolean; onRetry: () => void }) {
  const { errors, board } = useMessages()
  const failure = toAppError(error)
  const said = errors.byCode[failure.code] ?? errors.byKind[failure.kind]
  return (
    <div className={css.failed} role="alert">
      <p><strong>{said.title}</strong></p>
      <p>{said.whatToDo}</p>
      <Button pending={isTrying} onClick={onRetry}>{board.tryAgain}</Button>
    </div>
  )
}

const Outlines = () => <>{[84, 84, 84].map((height, index) => <SkeletonShape key={index} height={height} />)}</>

/** Whether the column is in sight or about to be; once it was, it stays read. */
function useNear(column: RefObject<HTMLElement | null>, scroller: RefObject<HTMLElement | null>, always: boolean): boolean {
  const [isNear, setNear] = useState(always)
  useEffect(() => {
    if (isNear || !column.current) return
    const watch = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true), { root: scroller.current, rootMargin: '0px 400px' })
    watch.observe(column.current)
    return () => watch.disconnect()
  }, [column, scroller, isNear])
  return isNear || always
}

/** Takes a card that is dragged over the column. */
function useDropping(group: Group) {
  const { carried, carry, move } = useBoard()
  const isOpen = carried?.by === 'pointer' && isOpenTo(group)
  if (!isOpen) return {}
  const over = (event: DragEvent) => {
    event.preventDefault()
    event.dataTransfer.dropEffect = 'move'
    if (carried.over.id !== group.id) carry({ ...carried, over: group })
  }
  return {
    onDragEnter: over,
    onDragOver: over,
    onDrop: (event: DragEvent) => {
      event.preventDefault()
      carry(undefined)
      move(carried.row, group)
    },
  }
}
