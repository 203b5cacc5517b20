import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { toAppError } from '#api/unwrap.ts'
import type { Description } from '#features/data/description/description.ts'
import { findRelation, type Relation } from '#features/data/description/relations.ts'
import { readRefusal } from '#features/data/form/refusal.ts'
import { deleteRecords } from '#features/data/rows/record-query.ts'
import { relatedCountQuery } from '#features/data/rows/related-query.ts'
import type { Row } from '#features/data/rows/row.ts'
import type { Source } from '#features/data/source.ts'
import { relationLabel, useWords } from '#features/data/words.ts'
import { useFormat, useMessages } from '#messages/messages.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { useToast } from '#ui/toaster.tsx'
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
  const toast = useToast()
  const [problem, setProblem] = useState<string>()
  const name = title === undefined ? undefined : rowName(relation, title)

  const remove = async () => {
    setProblem(undefined)
    try {
      const gone = await deleteRecords(source, relation, keys)
      if (gone.length < keys.length) return setProblem(gone.length === 0 ? words.deleteRefused : words.deletedPart(gone.length, keys.length))
      toast({ text: words.deleted(gone.length) })
      onDeleted()
    } catch (cause) {
      const error = toAppError(cause)
      const refusal = readRefusal(relation, error)
      const known = errors.byKind[error.kind]
      setProblem(refusal?.reason === 'still-used' ? words.stillUsed : refusal?.reason === 'policy' ? words.deleteRefused : refusal?.words ?? errors.sentences(known.title, known.whatToDo))
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

/** What the foreign keys take along: counted for a single record, named for several. */
function AlongWith({ source, relation, row, description }: Pick<DeleteDialogProps, 'source' | 'relation' | 'row' | 'description'>) {
  const words = useWords()
  const format = useFormat()
  const cascading = (relation.referenced_by ?? []).filter(({ on_delete: effect }) => effect === 'cascade')
  const counted = cascading.flatMap((reference) => {
    const child = description && findRelation(description, reference.schema, reference.table)
    return child && row ? [{ child, reference, row, select: '' }] : []
  })
  const counts = useQueries({ queries: counted.map((wanted) => relatedCountQuery(source, wanted)) })
  const parts = counted.length === 0
    ? cascading.map(({ table }) => relationLabel({ name: table }))
    : counted.flatMap(({ child }, index) => {
        const count = counts[index]?.data
        return count === 0 ? [] : [`${relationLabel(child)}${count === undefined ? '' : ` (${format.number(count)})`}`]
      })
  return parts.length === 0 ? null : <span className={css.along}>{words.deletedAlong(format.list(parts))}</span>
}
