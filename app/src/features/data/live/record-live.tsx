import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Description, Reference } from '#features/data/description/description.ts'
import { findRelation, references, type Relation } from '#features/data/description/relations.ts'
import type { RecordOverlay } from '#features/data/record/record-overlay.ts'
import { keyOf } from '#features/data/rows/address.ts'
import { isOwnWrite, rowId } from '#features/data/rows/own-writes.ts'
import { recordQuery } from '#features/data/rows/record-query.ts'
import type { Row } from '#features/data/rows/row.ts'
import { relationKey } from '#features/data/rows/rows-query.ts'
import type { Source } from '#features/data/source.ts'
import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { changedKey, liveTableOf } from './live-table.ts'
import css from './live.module.css'
import { Faces } from './faces.tsx'
import { differing } from './pages.ts'
import { useDoing } from './row-marks.tsx'
import type { FeedEvent } from './table-feed.ts'
import type { Person } from './people.ts'
import { usePeople, usePeopleOf, useTableFeed } from './use-feeds.ts'

export interface RecordLiveProps {
  source: Source
  description: Description
  relation: Relation
  recordKey: readonly string[]
  row: Row
  select: string
  isEditing: boolean
  onOverlay: (overlay: RecordOverlay) => void
}

const markedMs = 2800
/** Lists below a record follow at most so often. */
const relatedEveryMs = 1000
/** More lists than this are read anew only when one comes back to them. */
const mostLists = 4

/** Keeps a record live: others' changes to it and to what belongs to it, and who else is at it. */
export function RecordLive(props: RecordLiveProps) {
  const { description, relation, recordKey, row, isEditing, onOverlay } = props
  const table = useMemo(() => liveTableOf(description, relation), [description, relation])
  const feed = useTableFeed(table)
  const { fresh, isDeleted, take } = useChanges(props)
  useEffect(() => feed?.listen(take), [feed, take])

  const people = usePeople(relation)
  const all = usePeopleOf(people)
  const key = recordKey.join('\n')
  useEffect(() => people?.enter({ record: key.split('\n'), isEditing }), [people, key, isEditing])
  const here = useMemo(() => {
    const mark = people?.markOf(key.split('\n'))
    return mark === undefined ? [] : all.filter(({ records }) => records.has(mark)).map((person) => ({ person, isEditing: person.records.get(mark)?.isEditing === true }))
  }, [all, people, key])

  const overlay = useMemo((): RecordOverlay => ({ fresh, people: <AtThis here={here} />, banner: isDeleted ? <Deleted /> : null }), [fresh, here, isDeleted])
  useEffect(() => onOverlay(overlay), [overlay, onOverlay])
  const lists = references(description, relation).slice(0, mostLists)
  return (
    <>
      {lists.map((reference) => {
        const child = findRelation(description, reference.schema, reference.table)
        return child && <RelatedLive key={`${reference.schema}.${reference.table}.${reference.columns.join()}`} {...{ description, child, reference, row }} source={props.source} />
      })}
    </>
  )
}

/** Reads the record anew when others changed it, and tells which fields are other than before. */
function useChanges({ source, relation, recordKey, select }: RecordLiveProps) {
  const queries = useQueryClient()
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const [isDeleted, setDeleted] = useState(false)
  const id = rowId(relation, recordKey)
  const queryKey = JSON.stringify(recordQuery(source, { relation, key: recordKey, select }).queryKey)

  useEffect(() => {
    if (fresh.size === 0) return
    const timer = setTimeout(() => setFresh(new Set()), markedMs)
    return () => clearTimeout(timer)
  }, [fresh])

  const take = useMemo(() => {
    const read = async () => {
      const key = JSON.parse(queryKey) as unknown[]
      const before = queries.getQueryData<Row | null>(key)
      await queries.refetchQueries({ queryKey: key })
      const now = queries.getQueryData<Row | null>(key)
      if (before && now && !isOwnWrite(id)) setFresh(differing(before, now))
    }
    return (event: FeedEvent) => {
      if (event.kind === 'ready') return void read()
      const key = changedKey(relation, event.change)
      if (!key || rowId(relation, key) !== id) return
      if (event.change.type !== 'DELETE') {
        setDeleted(false)
        return void read()
      }
      // One's own way out of it leads elsewhere already.
      if (!isOwnWrite(id)) setDeleted(true)
    }
  }, [queries, relation, id, queryKey])
  return { fresh, isDeleted, take }
}

interface RelatedLiveProps {
  source: Source
  description: Description
  child: Relation
  reference: Reference
  row: Row
}

/** Reads the list of rows that belong to the record anew when one of them comes, goes or changes. */
function RelatedLive({ source, description, child, reference, row }: RelatedLiveProps) {
  const queries = useQueryClient()
  const table = useMemo(() => liveTableOf(description, child), [description, child])
  const feed = useTableFeed(table)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const queryKey = [...relationKey(source, child), 'related', reference.columns, reference.to.map((column) => row[column])]
    const isOurs = (record: Row) => reference.columns.every((column, index) => String(record[column]) === String(row[reference.to[index] ?? '']))
    const isListed = (key: readonly string[]) =>
      queries.getQueriesData({ queryKey }).some(([, rows]) => Array.isArray(rows) && rows.some((listed: Row) => keyOf(child, listed)?.join('\n') === key.join('\n')))
    const stop = feed?.listen((event) => {
      if (event.kind === 'change') {
        const { type, record } = event.change
        const key = changedKey(child, event.change)
        // A deleted row tells its key alone, which is known only of those in sight: the count is asked for again.
        if (type !== 'DELETE' && !isOurs(record) && key && !isListed(key)) return
      }
      timer ??= setTimeout(() => {
        timer = undefined
        void queries.invalidateQueries({ queryKey })
      }, relatedEveryMs)
    })
    return () => {
      stop?.()
      clearTimeout(timer)
    }
  }, [feed, queries, source, child, reference, row])
  return null
}

function AtThis({ here }: { here: readonly { person: Person; isEditing: boolean }[] }) {
  const editing = here.filter(({ isEditing }) => isEditing)
  const shown = editing.length > 0 ? editing : here
  const label = useDoing(shown.map(({ person }) => person), editing.length > 0)
  if (here.length === 0) return null
  return (
    <span className={css.atThis} role="status">
      <Faces people={shown.map(({ person }) => person)} label={label} size={20} isEditing={editing.length > 0} />
      <span className={css.doing} aria-hidden>{label}</span>
    </span>
  )
}

function Deleted() {
  const { live } = useMessages()
  return (
    <div className={css.banner}>
      <Banner tone="warning" title={live.deletedTitle}>{live.deletedHint}</Banner>
    </div>
  )
}
