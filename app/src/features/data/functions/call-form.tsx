import { useMemo } from 'react'
import type { Description } from '#features/data/description/description.ts'
import type { Relation } from '#features/data/description/relations.ts'
import { fieldToWire, type FieldValues } from '#features/data/form/field-value.ts'
import { formFields } from '#features/data/form/form-fields.ts'
import { RecordForm } from '#features/data/form/record-form.tsx'
import { useWords } from '#features/data/words.ts'

/** Asks for the arguments; those left out are not sent, so that the function's own defaults hold. */
export function CallForm({ description, relation, onCall }: { description: Description; relation: Relation; onCall: (given: FieldValues) => Promise<void> }) {
  const words = useWords()
  const fields = useMemo(() => formFields(description, relation, 'i'), [description, relation])
  const save = async (values: FieldValues) => {
    const given = fields.flatMap(({ column }) => (values[column.name] === undefined ? [] : [[column.name, fieldToWire(column, values[column.name])] as const]))
    await onCall(Object.fromEntries(given) as FieldValues)
    return undefined
  }
  return (
    <RecordForm
      {...{ relation, fields }}
      opened={{}}
      draftKey={`call:${relation.schema}.${relation.name}`}
      isNew
      inPage
      emptyNote={words.noArguments}
      refusedTitle={words.callRefused}
      saveLabel={words.call}
      onSave={save}
    />
  )
}
