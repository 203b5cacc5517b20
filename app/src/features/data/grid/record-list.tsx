import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type ReactNode } from 'react'
import type { Row } from '#features/data/rows/row.ts'
import { isMoment, kindOf } from '#features/data/description/field-kind.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { Link } from '#ui/link.tsx'
import { CellValue } from './cell-value.tsx'
import css from './record-list.module.css'
import { rowHref, type RelationView } from './relation-screen.tsx'
import type { ShownColumn } from './shown-column.ts'

const itemHeight = 72

/** Rows on a small screen: each with the three fields that matter. */
export function RecordList({ shared, instead }: { shared: RelationView; instead: ReactNode }) {
  const { rows, relation, shown } = shared
  const words = useWords()
  const scroller = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- nothing here is memoised by a compiler
  const virtual = useVirtualizer({ count: instead ? 0 : rows.total, getScrollElement: () => scroller.current, estimateSize: () => itemHeight, overscan: 8 })
  const inSight = virtual.range
  const { show } = rows
  useEffect(() => {
    if (inSight) show(inSight.startIndex - 20, inSight.endIndex + 30)
  }, [show, inSight])
  const fields = fieldsThatMatter(shown)

  return (
    <div ref={scroller} className={css.scroller} tabIndex={0} role="region" aria-label={words.listOf(relationLabel(relation))} aria-busy={rows.state.step === 'loading' || undefined}>
      {instead ? <div className={css.instead}>{instead}</div> : (
        <ul className={css.list} style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const row = rows.rowAt(index)
            return (
              <li key={index} className={css.item} style={{ transform: `translateY(${start}px)`, height: itemHeight }} aria-setsize={rows.isExact ? rows.total : -1} aria-posinset={index + 1}>
                {row ? <Item row={row} fields={fields} shared={shared} index={index} /> : rows.failureAt(index) ? <button type="button" className={css.retry} onClick={rows.retry}>{words.rowsFailed}</button> : <span className={css.outline} />}
              </li>
            )
          })}
        </ul>
      )}
    </div>
  )
}

function Item({ row, fields, shared, index }: { row: Row; fields: readonly ShownColumn[]; shared: RelationView; index: number }) {
  const [title, ...rest] = fields
  // What is not set says nothing in so little room.
  const others = rest.filter(({ column }) => row[column.name] !== null && row[column.name] !== undefined && row[column.name] !== '').slice(0, 2)
  const search = new URLSearchParams(location.search)
  search.set('row', String(index))
  const href = rowHref(shared.relation, row) ?? `${location.pathname}?${search.toString()}`
  return (
    <Link href={href} variant="plain" className={css.link}>
      {title && <span className={css.title}><CellValue {...plain(title)} row={row} /></span>}
      <span className={css.details}>
        {others.map((field) => (
          <span key={field.column.name} className={css.detail}>
            {!field.isChoice && <span className={css.label}>{field.label}</span>}
            <CellValue {...plain(field)} row={row} />
          </span>
        ))}
      </span>
    </Link>
  )
}

const plain = ({ column, isChoice }: ShownColumn) => ({ column, isChoice })

/** The title, a state, a date, then what stands first: each row shows two of them that it has. */
export function fieldsThatMatter(shown: readonly ShownColumn[]): ShownColumn[] {
  const title = shown.find(({ isTitle }) => isTitle) ?? shown[0]
  const rest = shown.filter((field) => field !== title && field.embed === undefined && !['uuid', 'json', 'binary', 'search'].includes(kindOf(field.column)))
  const picked = [rest.find(({ isChoice }) => isChoice), rest.find(({ column }) => isMoment(kindOf(column)))].filter((field) => field !== undefined)
  const filled = [...picked, ...rest.filter((field) => !picked.includes(field))].slice(0, 6)
  return title ? [title, ...filled] : filled
}
