import type { MouseEvent } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { cellText } from '#features/data/grid/cell-text.ts'
import { CellValue } from '#features/data/grid/cell-value.tsx'
import { rowHref } from '#features/data/grid/relation-screen.tsx'
import type { ShownColumn } from '#features/data/grid/shown-column.ts'
import { isGiven } from '#features/data/grid/telling-fields.ts'
import { plainText } from '#features/data/rows/csv.ts'
import type { Row } from '#features/data/rows/row.ts'
import { isMomentOfBirth } from '#features/data/view/newest-first.ts'
import { IconButton } from '#ui/button.tsx'
import { classNames } from '#ui/class-names.ts'
import { Menu } from '#ui/menu.tsx'
import type { CardNote } from './board-store.ts'
import { isOpenTo, useBoard, useBoardWords, useGroupLabel } from './board-view.ts'
import css from './board.module.css'
import { CardNotice } from './card-notice.tsx'
import { groupFor } from './groups.ts'

export interface CardProps {
  row: Row
  id: string
  hintId: string
  /** Holds the column's tab stop. */
  isStop: boolean
  mark: 'changed' | 'gone' | undefined
  note: CardNote | undefined
  isMoving: boolean
  isCarried: boolean
  onSettle: (id: string) => void
}

/** One row: its title leads to the record, three fields say the most of it. */
export function Card({ row, id, hintId, isStop, mark, note, isMoving, isCarried, onSettle }: CardProps) {
  const board = useBoard()
  const { shared: { relation }, groups, wanted, canMove, titleOf, carry, carried } = board
  const title = titleOf(row)
  const href = rowHref(relation, row)
  const from = groupFor(groups, wanted.grouping, row)
  const isDraggable = canMove && !isMoving
  return (
    <li
      className={classNames(css.card, mark === 'changed' && css.fresh, mark === 'gone' && css.gone, isMoving && css.moving, isCarried && css.carried, note && css.noted)}
      data-card={id}
      draggable={isDraggable}
      onFocus={() => onSettle(id)}
      onDragStart={(event) => {
        if (!from) return
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', title)
        // A page that changes as a drag starts would end it.
        setTimeout(() => carry({ row, id, from, over: from, by: 'pointer' }))
      }}
      onDragEnd={() => carry(undefined)}
      onBlur={() => carried?.by === 'keys' && isCarried && carry(undefined)}
    >
      {href === undefined
        ? <span className={css.title}><bdi>{title}</bdi></span>
        : <Title {...{ href, title, isStop }} hintId={canMove ? hintId : undefined} />}
      <Details row={row} />
      <span className={css.corner}>
        {board.peopleAt(row)}
        {canMove && <MoveMenu {...{ row, title, isStop }} />}
      </span>
      {note && <CardNotice note={note} row={row} id={id} />}
    </li>
  )
}

/** The whole card is its link: a press opens the record over the board. */
function Title({ href, title, isStop, hintId }: { href: string; title: string; isStop: boolean; hintId: string | undefined }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(href)
  }
  return <a href={href} className={classNames(css.title, css.wayIn)} draggable={false} tabIndex={isStop ? 0 : -1} aria-describedby={hintId} title={title} onClick={follow}><bdi>{title}</bdi></a>
}

const mostDetails = 3

function Details({ row }: { row: Row }) {
  const { telling } = useBoard()
  const details = telling.filter(({ column }) => isGiven(row[column.name])).slice(0, mostDetails)
  if (details.length === 0) return null
  return <span className={css.details}>{details.map((field) => <Detail key={field.column.name} field={field} row={row} />)}</span>
}

function Detail({ field, row }: { field: ShownColumn; row: Row }) {
  // A chip, a name and the moment a row was made speak for themselves.
  const isPlain = field.isChoice || field.embed !== undefined || isMomentOfBirth(field.column)
  return (
    <span className={css.detail}>
      {!isPlain && <span className={css.field}>{field.label}</span>}
      {/* The card is a link already: the other row's title stands as words. */}
      {field.embed ? plainText(cellText(field, row)) : <CellValue column={field.column} isChoice={field.isChoice} row={row} />}
    </span>
  )
}

/** Moves the card without dragging it. */
function MoveMenu({ row, title, isStop }: { row: Row; title: string; isStop: boolean }) {
  const { groups, wanted, move } = useBoard()
  const words = useBoardWords()
  const labelOf = useGroupLabel()
  const from = groupFor(groups, wanted.grouping, row)
  const items = groups.filter(isOpenTo).map((group) => ({
    id: group.id,
    label: labelOf(group),
    checked: group.id === from?.id,
    onSelect: () => move(row, group, { isFocused: true }),
  }))
  return (
    <Menu
      label={words.cardMenu(title)}
      placement="bottom end"
      trigger={<IconButton icon="more" size="small" className={css.menu} label={words.cardMenu(title)} tabIndex={isStop ? 0 : -1} />}
      groups={[{ heading: words.moveTo, items }]}
    />
  )
}
