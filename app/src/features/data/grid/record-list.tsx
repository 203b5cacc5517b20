import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import type { Row } from '#features/data/rows/row.ts'
import { keyOf } from '#features/data/rows/address.ts'
import { plainText } from '#features/data/rows/csv.ts'
import { isMomentOfBirth } from '#features/data/view/newest-first.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { classNames } from '#ui/class-names.ts'
import { Link } from '#ui/link.tsx'
import { cellText, recordTitle } from './cell-text.ts'
import { CellValue } from './cell-value.tsx'
import css from './record-list.module.css'
import { rowHref, type RelationView } from './relation-screen.tsx'
import type { ShownColumn } from './shown-column.ts'
import { isGiven, tellingFields } from './telling-fields.ts'

const itemHeight = 72

/** Rows on a small screen: each with its title and the two fields that say most. */
export function RecordList({ shared, instead }: { shared: RelationView; instead: ReactNode }) {
  const { rows, relation, shown } = shared
  const words = useWords()
  const scroller = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({ count: instead ? 0 : rows.total, getScrollElement: () => scroller.current, estimateSize: () => itemHeight, overscan: 8 })
  const inSight = virtual.range
  const { show, total } = rows
  // What comes next is read before it is in sight; nothing is, before the first rows are there.
  useEffect(() => {
    if (inSight) show(inSight.startIndex - 50, Math.min(inSight.endIndex + 100, total - 1))
  }, [show, inSight, total])
  const telling = useMemo(() => tellingFields(relation, shown, shared.title), [relation, shown, shared.title])

  return (
    <div ref={scroller} className={css.scroller} tabIndex={0} role="region" aria-label={words.listOf(relationLabel(relation))} aria-busy={rows.state.step === 'loading' || undefined}>
      {instead ? <div className={css.instead}>{instead}</div> : (
        <ul className={css.list} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows.rowAt(index)
            const mark = row && shared.live?.markOf(row)
            return (
              <li key={index} className={classNames(css.item, mark?.kind === 'changed' && css.fresh, mark?.kind === 'gone' && css.gone)} style={{ transform: `translateY(${start}px)`, height: itemHeight }} aria-setsize={rows.isExact ? rows.total : -1} aria-posinset={index + 1}>
                {row ? <Item row={row} telling={telling} shared={shared} index={index} people={mark?.people} /> : rows.failureAt(index) ? <button type="button" className={css.retry} onClick={rows.retry}>{words.rowsFailed}</button> : <span className={css.outline} />}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

interface ItemProps {
  row: Row
  telling: readonly ShownColumn[]
  shared: RelationView
  index: number
  people: ReactNode
}

function Item({ row, telling, shared, index, people }: ItemProps) {
  // What is not set says nothing in so little room.
  const details = telling.filter(({ column }) => isGiven(row[column.name])).slice(0, 2)
  const search = new URLSearchParams(location.search)
  search.set('row', String(index))
  const href = rowHref(shared.relation, row) ?? `${location.pathname}?${search.toString()}`
  return (
    <Link href={href} variant="plain" className={css.link}>
      <span className={css.title}><bdi>{itemTitle(shared, row)}</bdi>{people}</span>
      <span className={css.details}>
        {details.map((field) => <Detail key={field.column.name} field={field} row={row} />)}
      </span>
    </Link>
  )
}

function Detail({ field, row }: { field: ShownColumn; row: Row }) {
  // A chip, a name and the moment a row was made speak for themselves.
  const isPlain = field.isChoice || field.embed !== undefined || isMomentOfBirth(field.column)
  return (
    <span className={css.detail}>
      {!isPlain && <span className={css.label}>{field.label}</span>}
      {/* The item is a link already: the other row's title stands as words. */}
      {field.embed ? plainText(cellText(field, row)) : <CellValue column={field.column} isChoice={field.isChoice} row={row} />}
    </span>
  )
}

function itemTitle({ title, relation, embeds, shown }: RelationView, row: Row): string {
  const own = recordTitle(title, row, { key: keyOf(relation, row) ?? [], embeds })
  const [first] = shown
  return own || (first ? plainText(cellText(first, row)) : '')
}
