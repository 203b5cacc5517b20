import { lazy, Suspense } from 'react'
import { navigate, useSearch } from 'wouter/use-browser-location'
import { useQueryClient } from '@tanstack/react-query'
import type { Description } from '#features/data/description/description.ts'
import type { Relation } from '#features/data/description/relations.ts'
import { dataPath, keyOf } from '#features/data/rows/address.ts'
import { relationKey } from '#features/data/rows/rows-query.ts'
import { useSource } from '#features/data/source.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { IconButton } from '#ui/button.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { useToast } from '#ui/toaster.tsx'
import css from './record.module.css'
import { viewSearch } from './record-panel.tsx'

const CreateRecord = lazy(async () => ({ default: (await import('#features/data/form/create-record.tsx')).CreateRecord }))

/** The form for a new row. Fields may be filled by the address: `?set.status=open`. */
export function NewRecord({ description, relation, place, onClose, onLeave }: {
  description: Description
  relation: Relation
  place: 'panel' | 'page'
  onClose: () => void
  onLeave: () => void
}) {
  const words = useWords()
  const source = useSource()
  const queries = useQueryClient()
  const toast = useToast()
  const search = useSearch()
  const given = Object.fromEntries([...new URLSearchParams(search)].flatMap(([name, value]) => (name.startsWith('set.') ? [[name.slice(4), value]] : [])))
  return (
    <div className={css.record}>
      <header className={css.header}>
        <div className={css.bar}>
          <span className={css.kind}>{place === 'page' ? words.newRecord : relationLabel(relation)}</span>
          {place === 'panel' && <IconButton icon="close" label={words.closeRecord} onClick={onClose} />}
        </div>
        <div className={css.titleLine}>
          {place === 'page' ? <h1 className={css.title} tabIndex={-1}>{relationLabel(relation)}</h1> : <h2 className={css.title}>{words.newRecord}</h2>}
        </div>
      </header>
      {relation.can.insert ? (
        <Suspense fallback={<div className={css.scroll}><Skeleton label={words.loadingForm} lines={6} /></div>}>
          <CreateRecord
            {...{ description, relation, given }}
            onCancel={onClose}
            onSaved={(row) => {
              void queries.invalidateQueries({ queryKey: relationKey(source, relation) })
              const key = row && keyOf(relation, row)
              if (key) return navigate(`${dataPath(relation.schema, relation.name, key)}${viewSearch()}`, { replace: true })
              toast({ text: words.saved, tone: 'success' })
              onLeave()
            }}
          />
        </Suspense>
      ) : (
        <div className={css.scroll}><EmptyState icon="lock" title={words.mayNotAdd(relationLabel(relation))}>{words.mayNotAddHint}</EmptyState></div>
      )}
    </div>
  )
}
