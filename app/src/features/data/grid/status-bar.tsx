import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { countQuery } from '#features/data/rows/rows-query.ts'
import { useWords } from '#features/data/words.ts'
import { useFormat } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { useToast } from '#ui/toaster.tsx'
import { rowsAsCsv } from './export-rows.ts'
import type { RelationView } from './relation-screen.tsx'
import css from './relation-screen.module.css'

const DeleteDialog = lazy(async () => ({ default: (await import('#features/data/record/delete-dialog.tsx')).DeleteDialog }))

/** Below the rows: how many there are; and once some are ticked, what can be done with them. */
export function StatusBar({ shared, label }: { shared: RelationView; label: string }) {
  const { selected } = shared
  return (
    <footer className={css.status} aria-label={label}>
      {selected.count > 0 ? <Selection shared={shared} /> : <Count shared={shared} />}
      {shared.live?.status}
    </footer>
  )
}

function Count({ shared: { source, relation, view, rows } }: { shared: RelationView }) {
  const words = useWords()
  const format = useFormat()
  const queries = useQueryClient()
  const [counting, setCounting] = useState(false)
  if (rows.state.step !== 'ready') return <span />
  if (rows.isExact) return <span className={css.count} role="status">{words.rows(rows.total + (rows.waiting ?? 0))}</span>

  const countExactly = async () => {
    setCounting(true)
    const exact = await queries.fetchQuery(countQuery(source, { relation, view }, true)).catch(() => undefined)
    if (exact) queries.setQueryData(countQuery(source, { relation, view }).queryKey, exact)
    setCounting(false)
  }
  return (
    <>
      <span className={css.count} role="status">{rows.count ? words.aboutRows(format.number(rows.count.rows)) : rows.countFailed ? words.moreRows(format.number(rows.loaded.length)) : words.countingRows}</span>
      {(rows.count || rows.countFailed) && <Button variant="quiet" pending={counting} onClick={() => void countExactly()}>{words.countExactly}</Button>}
    </>
  )
}

function Selection({ shared }: { shared: RelationView }) {
  const words = useWords()
  const toast = useToast()
  const [deleting, setDeleting] = useState(false)
  const { relation, selected } = shared
  const copy = async () => {
    await navigator.clipboard.writeText(rowsAsCsv(shared, selected.rows()).replace('\uFEFF', ''))
    toast({ text: words.rowsCopied(selected.count) })
  }
  return (
    <>
      <span className={css.count} role="status">{words.rowsSelected(selected.count)}</span>
      <Button variant="quiet" icon="copy" onClick={() => void copy()}>{words.copyCsv}</Button>
      {relation.can.delete && <Button variant="quiet" icon="trash" onClick={() => setDeleting(true)}>{words.delete}</Button>}
      <Button variant="quiet" icon="close" onClick={selected.clear}>{words.clearSelection}</Button>
      {deleting && (
        <Suspense>
          <DeleteDialog
            source={shared.source}
            relation={relation}
            keys={selected.keys()}
            onClose={() => setDeleting(false)}
            onDeleted={() => {
              setDeleting(false)
              selected.clear()
              shared.refresh()
            }}
          />
        </Suspense>
      )}
    </>
  )
}
