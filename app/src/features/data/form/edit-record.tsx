import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import type { Description } from '#features/data/description/description.ts'
import { findColumn, type Relation } from '#features/data/description/relations.ts'
import { nameChoice } from '#features/data/rows/choices-query.ts'
import { readRecord, updateRecord } from '#features/data/rows/record-query.ts'
import { plainText } from '#features/data/rows/csv.ts'
import type { Row } from '#features/data/rows/row.ts'
import type { Selection } from '#features/data/rows/selection.ts'
import { useSource } from '#features/data/source.ts'
import { columnLabel, useWords } from '#features/data/words.ts'
import { useFormat } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { draftKeyOf } from './draft-key.ts'
import { fieldFromRow, fieldToWire, type FieldValues } from './field-value.ts'
import css from './form.module.css'
import { changeMark, formFields, type FormField } from './form-fields.ts'
import { RecordForm, type FormAtHand } from './record-form.tsx'

export interface EditRecordProps {
  description: Description
  relation: Relation
  recordKey: readonly string[]
  row: Row
  selection: Selection
  onSaved: (row: Row) => void
  onCancel: () => void
}

/** A form over one row; only changed columns are sent, and a row that somebody else has changed meanwhile is shown first. */
export function EditRecord(props: EditRecordProps) {
  const { description, relation, recordKey, selection, onSaved } = props
  const words = useWords()
  const source = useSource()
  const fields = useMemo(() => formFields(description, relation, 'u'), [description, relation])
  const queries = useQueryClient()
  // The rows it points at are known by name already: no field opens with a bare key.
  useState(() => fields.forEach(({ picker }) => picker && nameChoice(queries, source, { ...props, picker })))
  // What was on the screen when the typing began; "keep mine" moves it on to what is there now.
  const [seen, setSeen] = useState(props.row)
  const [first] = useState(props.row)
  const opened = useMemo(() => Object.fromEntries(fields.map(({ column }) => [column.name, fieldFromRow(column, props.row[column.name])])), [fields, props.row])

  const save = async (values: FieldValues, changed: readonly string[], base: Row = seen): Promise<ReactNode> => {
    const wanted = { relation, key: recordKey, select: selection.text }
    const latest = await readRecord(source, wanted)
    if (!latest) return <Banner tone="warning" title={words.goneTitle}>{words.goneHint}</Banner>
    const clashing = changedBetween(base, latest, changed)
    if (clashing.length > 0) return <Clash {...{ relation, latest, clashing }} onKeep={() => setSeen(latest)} onTake={() => onSaved(latest)} />

    const mark = changeMark(relation)
    const seenMark = mark === undefined ? undefined : latest[mark]
    const written = await updateRecord(source, {
      ...wanted,
      changes: Object.fromEntries(changed.map((name) => [name, toWire(relation, name, values)])),
      unless: mark !== undefined && typeof seenMark === 'string' ? { column: mark, value: seenMark } : undefined,
    })
    if (written.outcome === 'done') {
      onSaved(written.row)
      return undefined
    }
    const now = await readRecord(source, wanted)
    const isRaced = mark !== undefined && now !== null && now[mark] !== seenMark
    return isRaced ? save(values, changed, latest) : <Banner tone="danger" title={words.notSaved}>{words.refusals.policy} {words.workKept}</Banner>
  }
  const notice = ({ changed, set }: FormAtHand): ReactNode => {
    const clashing = changedBetween(seen, props.row, changed)
    const take = () => {
      for (const { column } of fields) if (clashing.includes(column.name)) set(column.name, fieldFromRow(column, props.row[column.name]))
      setSeen(props.row)
    }
    return clashing.length > 0
      ? <div className={css.failure}><Clash {...{ relation, clashing }} latest={props.row} onKeep={() => setSeen(props.row)} onTake={take} /></div>
      : <Followed {...{ relation, fields, changed }} from={first} to={props.row} />
  }
  return (
    <RecordForm
      {...{ relation, fields, opened }}
      onCancel={props.onCancel}
      draftKey={draftKeyOf(relation, recordKey)}
      isNew={false}
      saveLabel={words.save}
      onSave={save}
      notice={notice}
    />
  )
}

function toWire(relation: Relation, name: string, values: FieldValues): unknown {
  const column = findColumn(relation, name)
  return column && fieldToWire(column, values[name])
}

/** Which of these columns hold something else now. */
export const changedBetween = (before: Row, now: Row, columns: readonly string[]): string[] =>
  columns.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name]))

/** Somebody else changed other fields: they show what stands there now, and it is said which. */
function Followed({ relation, fields, changed, from, to }: { relation: Relation; fields: readonly FormField[]; changed: readonly string[]; from: Row; to: Row }) {
  const words = useWords()
  const format = useFormat()
  const names = changedBetween(from, to, fields.map(({ column }) => column.name)).filter((name) => !changed.includes(name))
  if (names.length === 0) return null
  return <div className={css.failure}><Banner tone="info" role="status">{words.changedMeanwhile(format.list(names.map((name) => columnLabel(relation, { name }))))}</Banner></div>
}

/** Somebody else changed the same fields: what stands there now, and whose version is to hold. */
function Clash({ relation, latest, clashing, onKeep, onTake }: { relation: Relation; latest: Row; clashing: readonly string[]; onKeep: () => void; onTake: () => void }) {
  const words = useWords()
  const [kept, setKept] = useState(false)
  if (kept) return <Banner tone="info" role="status">{words.saveAgain}</Banner>
  return (
    <Banner tone="warning" title={words.clashTitle}>
      <dl className={css.clash}>
        {clashing.map((name) => (
          <div key={name}>
            <dt>{columnLabel(relation, { name })}</dt>
            <dd>{latest[name] === null ? words.notSet : plainText(latest[name])}</dd>
          </div>
        ))}
      </dl>
      <span className={css.clashActions}>
        <Button
          onClick={() => {
            onKeep()
            setKept(true)
          }}
        >
          {words.keepMine}
        </Button>
        <Button variant="quiet" onClick={onTake}>{words.takeTheirs}</Button>
      </span>
    </Banner>
  )
}
