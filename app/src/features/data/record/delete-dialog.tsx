import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { toAppError } from '#api/unwrap.ts'
import type { Description, Reference } from '#features/data/description/description.ts'
import { findRelation, type Relation } from '#features/data/description/relations.ts'
import { readRefusal } from '#features/data/form/refusal.ts'
import { deleteRecords } from '#features/data/rows/record-query.ts'
import { relatedCountQuery } from '#features/data/rows/related-query.ts'
import type { Row } from '#features/data/rows/row.ts'
import type { Source } from '#features/data/source.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { useMessages } from '#messages/messages.tsx'
import { useAnnounce } from '#ui/announcer.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { rowName } from './record-view.tsx'
import css from './record.module.css'

export interface DeleteDialogProps {
  source: Source
  relation: Relation
  keys: string[][]
  /** Of a single record: its values, its title, and the schema to say what goes with it. */
  row?: Row | undefined
  title?: string | undefined
  description?: Description | undefined
  onClose: () => void
  onDeleted: () => void
}

/** Asks before rows are deleted: names them, and says what is deleted along with them. */
export function DeleteDialog({ source, relation, keys, row, title, description, onClose, onDeleted }: DeleteDialogProps) {
  const words = useWords()
  const { errors } = useMessages()
  const announce = useAnnounce()
  const [problem, setProblem] = useState<string>()
  const name = title === undefined ? undefined : rowName(relation, title)

  const remove = async () => {
    setProblem(undefined)
    try {
      const gone = await deleteRecords(source, relation, keys)
      if (gone.length < keys.length) return setProblem(gone.length === 0 ? words.deleteRefused : words.deletedPart(gone.length, keys.length))
      announce(words.deleted(gone.length))
      onDeleted()
    } catch (cause) {
      const error = toAppError(cause)
      const refusal = readRefusal(relation, error)
      const known = errors.byKind[error.kind]
      setProblem(refusal?.reason === 'still-used' ? words.stillUsed : refusal?.reason === 'policy' ? words.deleteRefused : refusal?.words ?? `${known.title}. ${known.whatToDo}`)
    }
  }
  return (
    <ConfirmDialog
      open
      onClose={onClose}
      title={name === undefined ? words.deleteRowsTitle(keys.length) : words.deleteTitle(name)}
      confirmLabel={name === undefined ? words.deleteRows(keys.length) : words.deleteOne(relationLabel(relation))}
      onConfirm={remove}
      error={problem}
    >
      {words.deleteHint}
      <AlongWith {...{ source, relation, row, description }} />
    </ConfirmDialog>
  )
}

/** What the foreign keys take along. */
function AlongWith({ source, relation, row, description }: Pick<DeleteDialogProps, 'source' | 'relation' | 'row' | 'description'>) {
  const words = useWords()
  const cascading = (relation.referenced_by ?? []).filter(({ on_delete: effect }) => effect === 'cascade')
  if (cascading.length === 0) return null
  return (
    <span className={css.along}>
      {words.deletedAlong}{' '}
      {cascading.map((reference, index) => (
        <span key={reference.name || index}>
          {index > 0 && ', '}
          <Along {...{ source, reference, row, description }} />
        </span>
      ))}
      .
    </span>
  )
}

function Along({ source, reference, row, description }: { source: Source; reference: Reference; row: Row | undefined; description: Description | undefined }) {
  const child = description && findRelation(description, reference.schema, reference.table)
  const label = relationLabel({ name: reference.table })
  return child && row ? <CountedAlong {...{ source, reference, row, child, label }} /> : <>{label}</>
}

function CountedAlong({ source, reference, row, child, label }: { source: Source; reference: Reference; row: Row; child: Relation; label: string }) {
  const count = useQuery(relatedCountQuery(source, { child, reference, row, select: '' }))
  return <>{label}{count.data === undefined ? '' : ` (${count.data})`}</>
}
