import { useMemo } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { readableColumns } from '#features/data/description/relations.ts'
import type { RelationView } from '#features/data/grid/relation-screen.tsx'
import { selectionOf } from '#features/data/rows/selection.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { Banner } from '#ui/banner.tsx'
import { IconButton } from '#ui/button.tsx'
import { Sheet } from '#ui/sheet.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import css from './record.module.css'
import { viewSearch } from './record-panel.tsx'
import { RecordFields } from './record-fields.tsx'

/** A row that has no key, by its place in the view: to look at, not to change. */
export function KeylessPanel({ view, index }: { view: RelationView; index: number }) {
  const words = useWords()
  const { description, relation, rows } = view
  const selection = useMemo(() => selectionOf(description, relation, readableColumns(relation).map(({ name }) => name)), [description, relation])
  const close = () => navigate(`${location.pathname}${viewSearch()}`)
  const row = rows.rowAt(index)
  return (
    <Sheet open onClose={close} label={words.rowAt(index + 1)}>
      <div className={css.record}>
        <header className={css.header}>
          <div className={css.bar}>
            <span className={css.kind}>{relationLabel(relation)}</span>
            <IconButton icon="close" label={words.closeRecord} onClick={close} />
          </div>
          <h2 className={css.title}>{words.rowAt(index + 1)}</h2>
        </header>
        <div className={css.scroll}>
          {row ? <RecordFields {...{ description, relation, row, selection }} /> : <Skeleton label={words.loadingRecord} lines={6} />}
          <div className={css.related}><Banner tone="info" role="none">{words.rowWithoutKey}</Banner></div>
        </div>
      </div>
    </Sheet>
  )
}
