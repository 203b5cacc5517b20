import { useId, useState, type FormEvent } from 'react'
import type { ChangesWish } from '#api/channels.ts'
import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Select } from '#ui/select.tsx'
import { Switch } from '#ui/switch.tsx'
import { TextField } from '#ui/text-field.tsx'
import { isFilter, topicFault, type RoomSettings } from './address.ts'
import css from './live-screen.module.css'
import type { KnownTable } from './live-screen.tsx'

export interface JoinDialogProps {
  tables: readonly KnownTable[]
  isTaken: (topic: string) => boolean
  onClose: () => void
  onJoin: (settings: RoomSettings) => void
}

const events = ['*', 'INSERT', 'UPDATE', 'DELETE'] as const

/** Asks which channel to join, and which row changes to be told of. */
export function JoinDialog({ tables, isTaken, onClose, onJoin }: JoinDialogProps) {
  const { channels: words } = useMessages()
  const form = useId()
  const [topic, setTopic] = useState('')
  const [isPrivate, setPrivate] = useState(false)
  const [withChanges, setWithChanges] = useState(false)
  const [changes, setChanges] = useState<ChangesWish>(() => firstChanges(tables))
  const [problems, setProblems] = useState<{ topic?: string | undefined; filter?: string | undefined }>({})

  const submit = (event: FormEvent) => {
    event.preventDefault()
    const name = topic.trim()
    const fault = topicFault(name)
    const told = { missing: words.nameMissing, 'too-long': words.nameTooLong, reserved: words.nameReserved }
    const found = {
      topic: fault ? told[fault] : isTaken(name) ? words.nameTaken : undefined,
      filter: withChanges && changes.filter !== undefined && !isFilter(changes.filter) ? words.changesFilterWrong : undefined,
    }
    setProblems(found)
    if (found.topic === undefined && found.filter === undefined) onJoin({ topic: name, isPrivate, changes: withChanges ? changes : undefined })
  }
  return (
    <Dialog
      open
      onClose={onClose}
      title={words.joinNew}
      lead={words.lead}
      footer={<><Button onClick={onClose}>{words.cancel}</Button><Button variant="primary" type="submit" form={form}>{words.join}</Button></>}
    >
      <form id={form} className={css.joinForm} noValidate onSubmit={submit}>
        {/* oxlint-disable-next-line jsx-a11y/no-autofocus -- the dialog is opened to type this */}
        <TextField label={words.name} hint={words.nameHint} placeholder={words.namePlaceholder} value={topic} error={problems.topic} autoFocus autoComplete="off" spellCheck={false} onChange={({ target }) => setTopic(target.value)} />
        <Switch label={words.isPrivate} hint={words.privateHint} checked={isPrivate} onChange={({ target }) => setPrivate(target.checked)} />
        <Switch label={words.changes} hint={words.changesHint} checked={withChanges} onChange={({ target }) => setWithChanges(target.checked)} />
        {withChanges && <ChangesFields tables={tables} changes={changes} problem={problems.filter} onChange={setChanges} />}
      </form>
    </Dialog>
  )
}

const firstChanges = (tables: readonly KnownTable[]): ChangesWish => {
  const table = tables.find(({ isSent }) => isSent) ?? tables[0]
  return { event: '*', schema: table?.schema ?? 'public', ...(table ? { table: table.name } : {}) }
}

function ChangesFields({ tables, changes, problem, onChange }: { tables: readonly KnownTable[]; changes: ChangesWish; problem: string | undefined; onChange: (changes: ChangesWish) => void }) {
  const { channels: words } = useMessages()
  const schemas = [...new Set(['public', ...tables.map(({ schema }) => schema)])]
  const valueOf = (schema: string, table: string | undefined) => JSON.stringify([schema, table ?? null])
  const isUnsent = tables.some(({ schema, name, isSent }) => schema === changes.schema && name === changes.table && !isSent)
  const choose = (value: string) => {
    const [schema = 'public', table] = JSON.parse(value) as [string?, (string | null)?]
    const { event, filter } = changes
    onChange({ event, schema, ...(table ? { table } : {}), ...(filter === undefined ? {} : { filter }) })
  }
  const write = (filter: string) => {
    const { event, schema, table } = changes
    onChange({ event, schema, ...(table === undefined ? {} : { table }), ...(filter.trim() === '' ? {} : { filter: filter.trim() }) })
  }
  return (
    <div className={css.changesFields}>
      <Select label={words.changesTable} hint={isUnsent ? words.changesNotLive : undefined} value={valueOf(changes.schema, changes.table)} onChange={({ target }) => choose(target.value)}>
        {tables.map(({ schema, name, label }) => <option key={valueOf(schema, name)} value={valueOf(schema, name)}>{schema === 'public' ? label : `${schema}.${label}`}</option>)}
        {schemas.map((schema) => <option key={schema} value={valueOf(schema, undefined)}>{`${words.changesAllTables} (${schema})`}</option>)}
      </Select>
      <Select label={words.changesEvent} value={changes.event} onChange={({ target }) => onChange({ ...changes, event: target.value as ChangesWish['event'] })}>
        {events.map((event) => <option key={event} value={event}>{words.changesEvents[event]}</option>)}
      </Select>
      <TextField label={words.changesFilter} optional hint={words.changesFilterHint} error={problem} autoComplete="off" spellCheck={false} dir="ltr" onChange={({ target }) => write(target.value)} />
    </div>
  )
}
