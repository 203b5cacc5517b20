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
import { useFormat, useMessages } from '#messages/messages.tsx'
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
  const { errors } = useMessages()
  const source = useSource()
  const fields = useMemo(() => formFields(description, relation, 'u'), [description, relation])
  const queries = useQueryClient()
  // The rows it points at are known by name already: no field opens with a bare key.
  useState(() => fields.forEach(({ picker }) => picker && nameChoice(queries, source, { ...props, picker })))
  // What the person last saw of it, and what had been heard by then: where nothing is live, nothing newer is ever heard.
  const [seen, setSeen] = useState<Seen>({ row: props.row, heard: props.row })
  const [first] = useState(props.row)
  // The answer to a save asks already; what one hears live does not ask the same beside it.
  const [isAsked, setAsked] = useState(false)
  const opened = useMemo(() => Object.fromEntries(fields.map(({ column }) => [column.name, fieldFromRow(column, props.row[column.name])])), [fields, props.row])

  const save = async (values: FieldValues, changed: readonly string[], base: Row = seen.row): Promise<ReactNode> => {
    setAsked(false)
    const wanted = { relation, key: recordKey, select: selection.text }
    const latest = await readRecord(source, wanted)
    if (!latest) return <Banner tone="warning" title={words.goneTitle}>{words.goneHint}</Banner>
    const clashing = changedBetween(base, latest, changed)
    if (clashing.length > 0) {
      setAsked(true)
      const keep = () => {
        setAsked(false)
        setSeen({ row: latest, heard: props.row })
      }
      return <Clash {...{ relation, latest, clashing }} onKeep={keep} onTake={() => onSaved(latest)} />
    }

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
    return isRaced ? save(values, changed, latest) : <Banner tone="danger" title={words.notSaved}>{errors.sentences(words.refusals.policy, words.workKept)}</Banner>
  }
  const notice = (form: FormAtHand): ReactNode => <Heard {...{ relation, fields, first, seen, form, isAsked }} row={props.row} onSeen={setSeen} />
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

interface Seen {
  row: Row
  heard: Row
}

interface HeardProps {
  relation: Relation
  fields: readonly FormField[]
  /** As the form was opened, and as it is. */
  first: Row
  row: Row
  seen: Seen
  form: FormAtHand
  isAsked: boolean
  onSeen: (seen: Seen) => void
}

/** What others changed while the form is open. */
function Heard({ relation, fields, first, seen, row, form: { changed, set }, isAsked, onSeen }: HeardProps) {
  const clashing = row === seen.heard ? [] : changedBetween(seen.row, row, changed)
  if (clashing.length === 0) return <Followed {...{ relation, fields, changed }} from={first} to={row} />
  if (isAsked) return null
  const take = () => {
    for (const { column } of fields) if (clashing.includes(column.name)) set(column.name, fieldFromRow(column, row[column.name]))
    onSeen({ row, heard: row })
  }
  return <div className={css.failure}><Clash {...{ relation, clashing }} latest={row} onKeep={() => onSeen({ row, heard: row })} onTake={take} /></div>
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
