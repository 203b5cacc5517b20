import { useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useMemo, useRef, useState, type ReactNode } from 'react'
import { navigate } from 'wouter/use-browser-location'
import { DataFailure } from '#features/data/data-failure.tsx'
import type { Description } from '#features/data/description/description.ts'
import { readableColumns, type Relation } from '#features/data/description/relations.ts'
import { titleOf } from '#features/data/description/title.ts'
import { draftKeyOf } from '#features/data/form/draft-key.ts'
import { recordTitle } from '#features/data/grid/cell-text.ts'
import { dataPath, keyOf } from '#features/data/rows/address.ts'
import { recordQuery } from '#features/data/rows/record-query.ts'
import type { Row } from '#features/data/rows/row.ts'
import { relationKey } from '#features/data/rows/rows-query.ts'
import { selectionOf, type Selection } from '#features/data/rows/selection.ts'
import { useSource } from '#features/data/source.ts'
import { humanise } from '#features/data/description/humanise.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { useDraft } from '#session/drafts.ts'
import { useAnnounce } from '#ui/announcer.tsx'
import { Button } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { LateRecordLive } from './late-record-live.tsx'
import { RecordFields } from './record-fields.tsx'
import { RecordHeader } from './record-header.tsx'
import type { RecordOverlay } from './record-overlay.ts'
import type { Neighbours } from './record-panel.tsx'
import css from './record.module.css'
import { RelatedLists } from './related-lists.tsx'

const EditRecord = lazy(async () => ({ default: (await import('#features/data/form/edit-record.tsx')).EditRecord }))

export interface RecordViewProps {
  description: Description
  relation: Relation
  recordKey: readonly string[]
  place: 'panel' | 'page'
  neighbours?: Neighbours
  onClose: () => void
  /** Leaves without asking: the record is gone. */
  onLeave: () => void
}

/** One record: its title, its fields, and the rows that belong to it. */
export function RecordView(props: RecordViewProps) {
  const { description, relation, recordKey, onClose } = props
  const source = useSource()
  const words = useWords()
  const selection = useMemo(() => selectionOf(description, relation, readableColumns(relation).map(({ name }) => name)), [description, relation])
  const record = useQuery(recordQuery(source, { relation, key: recordKey, select: selection.text }))

  if (record.isPending) return <Framed {...props} title=""><Skeleton label={words.loadingRecord} lines={6} /></Framed>
  if (record.isError) return <Framed {...props} title=""><DataFailure error={record.error} onRetry={() => void record.refetch()} retrying={record.isFetching} /></Framed>
  if (record.data === null) {
    return (
      <Framed {...props} title="">
        <EmptyState icon="search" title={words.recordMissing} action={<Button onClick={onClose}>{words.backToTable(relationLabel(relation))}</Button>}>
          {words.recordMissingHint}
        </EmptyState>
      </Framed>
    )
  }
  return <Loaded {...props} row={record.data} selection={selection} />
}

function Framed(props: RecordViewProps & { title: string; children: ReactNode }) {
  return (
    <div className={css.record}>
      <RecordHeader {...props} label={relationLabel(props.relation)} actions={[]} />
      <div className={css.scroll}>{props.children}</div>
    </div>
  )
}

function Loaded(props: RecordViewProps & { row: Row; selection: Selection }) {
  const { description, relation, recordKey, row, selection, onLeave } = props
  const words = useWords()
  const source = useSource()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const canEdit = relation.can.update && relation.columns.some(({ can }) => can.includes('u'))
  // Work that a reload or an ended session interrupted goes on where it was.
  const { draft } = useDraft(draftKeyOf(relation, recordKey), isAnything)
  const [step, setStep] = useState<'reading' | 'editing' | 'deleting'>(canEdit && draft !== null ? 'editing' : 'reading')
  const title = recordTitle(titleOf(description, relation), row, { key: recordKey, embeds: selection.embeds }) || relationLabel(relation)
  const refresh = () => void queries.invalidateQueries({ queryKey: relationKey(source, relation) })
  const place = useRef<HTMLDivElement>(null)
  const [live, setLive] = useState<RecordOverlay>()
  const edit = (editing: boolean) => {
    setStep(editing ? 'editing' : 'reading')
    // The form takes the focus when it opens; closed, it gives it back to where it came from.
    if (!editing) setTimeout(() => place.current?.querySelector<HTMLElement>('[data-edit]')?.focus(), 0)
  }
  const saved = (latest: Row) => {
    const key = keyOf(relation, latest)
    // The key itself may be among what was changed: the record has another address then.
    if (key && key.join('\n') !== recordKey.join('\n')) {
      refresh()
      return navigate(`${dataPath(relation.schema, relation.name, key)}${location.search}`, { replace: true })
    }
    queries.setQueryData(recordQuery(source, { relation, key: recordKey, select: selection.text }).queryKey, latest)
    edit(false)
    refresh()
    announce(words.saved)
  }
  const deleted = () => {
    refresh()
    onLeave()
  }
  return (
    <div ref={place} className={css.record}>
      <RecordHeader
        {...props}
        title={title}
        label={relationLabel(relation)}
        people={live?.people}
        onEdit={canEdit && step !== 'editing' ? () => edit(true) : undefined}
        onDelete={relation.can.delete ? () => setStep('deleting') : undefined}
        duplicateHref={relation.can.insert ? duplicateHref(relation, row) : undefined}
      />
      {live?.banner}
      {step === 'editing' ? (
        <Suspense fallback={<div className={css.scroll}><Skeleton label={words.loadingForm} lines={6} /></div>}>
          <EditRecord {...{ description, relation, recordKey, row, selection }} onCancel={() => edit(false)} onSaved={saved} />
        </Suspense>
      ) : (
        <div className={css.scroll}>
          <RecordFields {...{ description, relation, row, selection }} fresh={live?.fresh} />
          <RelatedLists {...{ description, relation, row }} heading={props.place === 'page' ? 'h2' : 'h3'} />
        </div>
      )}
      <LateRecordLive {...{ source, description, relation, recordKey, row }} select={selection.text} isEditing={step === 'editing'} onOverlay={setLive} />
      {step === 'deleting' && <DeleteDialog {...{ source, relation, row, title, description }} keys={[[...recordKey]]} onClose={() => setStep('reading')} onDeleted={deleted} />}
    </div>
  )
}

const isAnything = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The form for a new row, filled with what this one holds and may be given. */
function duplicateHref(relation: Relation, row: Row): string {
  const keys = new Set(relation.primary_key)
  const parameters = new URLSearchParams()
  for (const { name, can } of relation.columns) {
    const value = row[name]
    if (!can.includes('i') || keys.has(name) || value === null || value === undefined) continue
    parameters.set(`set.${name}`, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  return `${dataPath(relation.schema, relation.name, 'new')}?${parameters.toString()}`
}

/** What one row of a relation is called: "ticket 4821". */
export const rowName = (relation: Relation, title: string): string => `${singular(humanise(relation.name)).toLowerCase()} ${title}`

/** Good enough for English names; others stay as they are. */
function singular(label: string): string {
  if (/(ss|us|is)$/i.test(label)) return label
  if (/ies$/i.test(label)) return label.replace(/ies$/i, 'y')
  return label.replace(/(?<=[a-z]{2})s$/i, '')
}
