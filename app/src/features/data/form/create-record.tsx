import { useMemo } from 'react'
import { kindOf } from '#features/data/description/field-kind.ts'
import type { Description } from '#features/data/description/description.ts'
import { readableColumns, type Relation } from '#features/data/description/relations.ts'
import { insertRecord } from '#features/data/rows/record-query.ts'
import type { Row } from '#features/data/rows/row.ts'
import { selectionOf } from '#features/data/rows/selection.ts'
import { useSource } from '#features/data/source.ts'
import { useWords } from '#features/data/words.ts'
import { draftKeyOf } from './draft-key.ts'
import { fieldToWire, isList, type FieldValue, type FieldValues } from './field-value.ts'
import { formFields, type FormField } from './form-fields.ts'
import { RecordForm } from './record-form.tsx'

/** A form for a new row; only what was given is sent, so that the project's defaults hold. */
export function CreateRecord({ description, relation, given, onSaved, onCancel }: {
  description: Description
  relation: Relation
  /** Texts by column, from the address. */
  given: Readonly<Record<string, string>>
  /** Without the row where the role may add but not look. */
  onSaved: (row: Row | undefined) => void
  onCancel: () => void
}) {
  const words = useWords()
  const source = useSource()
  const fields = useMemo(() => formFields(description, relation, 'i'), [description, relation])
  const select = useMemo(() => selectionOf(description, relation, readableColumns(relation).map(({ name }) => name)).text, [description, relation])
  const opened = useMemo(() => Object.fromEntries(fields.map(({ column }) => [column.name, opening(column)])), [fields])
  const filled = useMemo(() => fillFrom(fields, given), [fields, given])

  const save = async (values: FieldValues) => {
    const sent = fields.flatMap(({ column }) => {
      const value = values[column.name]
      return value === undefined || (value === null && column.default === undefined) ? [] : [[column.name, fieldToWire(column, value)] as const]
    })
    onSaved(await insertRecord(source, relation, { values: Object.fromEntries(sent), select }))
    return undefined
  }
  return (
    <RecordForm
      {...{ relation, fields, opened, onCancel }}
      given={filled}
      draftKey={draftKeyOf(relation, 'new')}
      isNew
      saveLabel={words.create}
      onSave={save}
    />
  )
}

const opening = (column: FormField['column']): FieldValue => (column.default === undefined && column.not_null !== true ? null : undefined)

function fillFrom(fields: readonly FormField[], given: Readonly<Record<string, string>>): FieldValues {
  return Object.fromEntries(fields.flatMap(({ column }) => {
    const text = given[column.name]
    return text === undefined ? [] : [[column.name, read(column, text)]]
  }))
}

function read(column: FormField['column'], text: string): FieldValue {
  if (kindOf(column) === 'boolean' && column.array !== true) return text === 'true'
  if (!isList(column)) return text
  try {
    const items: unknown = JSON.parse(text)
    return Array.isArray(items) ? items.map(String) : [text]
  } catch {
    return [text]
  }
}
