import { lazy, Suspense, useEffect, useMemo, type ReactNode } from 'react'
import { useSearch } from 'wouter/use-browser-location'
import { DataFailure } from '#features/data/data-failure.tsx'
import type { Description } from '#features/data/description/description.ts'
import { findRelation, type Relation } from '#features/data/description/relations.ts'
import { RelationScreen, type RelationView } from '#features/data/grid/relation-screen.tsx'
import type { DataAddress } from '#features/data/rows/address.ts'
import { useKnowledge } from '#features/data/use-knowledge.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { useProject } from '#session/session.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import css from './data-screen.module.css'

const Overview = lazy(async () => ({ default: (await import('./overview.tsx')).Overview }))
const RecordPanel = lazy(async () => ({ default: (await import('./record/record-panel.tsx')).RecordPanel }))
const RecordPage = lazy(async () => ({ default: (await import('./record/record-page.tsx')).RecordPage }))
const KeylessPanel = lazy(async () => ({ default: (await import('./record/keyless-panel.tsx')).KeylessPanel }))
const AddOnly = lazy(async () => ({ default: (await import('./record/add-only.tsx')).AddOnly }))

/** The workspace at an address: all tables, one table, or a record over it. */
export function DataScreen({ address }: { address: DataAddress }) {
  const words = useWords()
  const knowledge = useKnowledge()
  const { schema, relation: name } = address
  useTitle(name === undefined ? words.title : relationLabel({ name }))
  const known = knowledge.data?.description
  // The same object from one address to the next: what follows the relation goes on.
  const relation = useMemo(() => (known && schema !== undefined && name !== undefined ? findRelation(known, schema, name) : undefined), [known, schema, name])

  if (schema === undefined || name === undefined) return <Suspense fallback={<div className={css.place}><Skeleton label={words.loadingTables} lines={10} /></div>}><Overview /></Suspense>
  if (knowledge.isPending) return <div className={css.place}><Skeleton label={words.loadingTables} lines={10} /></div>
  if (knowledge.isError) return <div className={css.place}><DataFailure error={knowledge.error} onRetry={() => void knowledge.refetch()} retrying={knowledge.isFetching} /></div>

  const { description } = knowledge.data
  if (!relation || !(relation.can.select || relation.can.insert)) return <Missing name={name} />
  // Another table starts afresh: its ticks, its scroll, its columns.
  return <Known key={`${schema}.${name}`} {...{ description, relation }} record={address.record} />
}

function Known({ description, relation, record }: { description: Description; relation: Relation; record: DataAddress['record'] }) {
  const search = new URLSearchParams(useSearch())
  const position = search.get('row')
  if (!relation.can.select) return <Suspense><AddOnly {...{ description, relation }} /></Suspense>
  if (record !== undefined && record !== 'new' && search.get('page') === 'full') {
    return <Suspense><RecordPage {...{ description, relation }} recordKey={record.key} /></Suspense>
  }
  const over = (view: RelationView): ReactNode => {
    if (record !== undefined) return <RecordPanel {...{ description, relation }} laid={record === 'new' ? 'new' : { record: record.key }} rows={view.rows} />
    return position !== null && /^\d+$/.test(position) ? <KeylessPanel view={view} index={Number(position)} /> : null
  }
  return <RelationScreen {...{ description, relation }}>{(view) => <Suspense>{over(view)}</Suspense>}</RelationScreen>
}

function Missing({ name }: { name: string }) {
  const words = useWords()
  return (
    <div className={css.place}>
      <h1><VisuallyHidden>{relationLabel({ name })}</VisuallyHidden></h1>
      <EmptyState icon="table" title={words.relationMissing} action={<ButtonLink href="/data">{words.backToTables}</ButtonLink>}>
        {words.relationMissingHint}
      </EmptyState>
    </div>
  )
}

function useTitle(title: string): void {
  const { name } = useProject()
  useEffect(() => {
    document.title = `${title} · ${name}`
  }, [title, name])
}
