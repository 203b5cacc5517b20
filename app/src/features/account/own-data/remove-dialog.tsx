import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { explain } from '#api/explain.ts'
import type { AppError } from '#api/app-error.ts'
import { unwrap } from '#api/unwrap.ts'
import { hasOwnPhoto, removePhoto } from '#features/account/photo/photo-store.ts'
import type { Reference } from '#features/account/queries.ts'
import { useSave } from '#features/account/use-save.ts'
import { useMessages } from '#messages/messages.tsx'
import { createDrafts } from '#session/drafts.ts'
import { useConnection, useProject, useSessionStore, useUser } from '#session/session.tsx'
import { useStepUp } from '#session/step-up.ts'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { TechnicalDetails } from '#ui/failure.tsx'
import css from './own-data.module.css'
import { writeFarewell } from './farewell.ts'

interface RemoveDialogProps {
  references: readonly Reference[]
  onClose: () => void
}

/** Says what goes and what stays, and wants the account's own address typed before anything happens. */
export function RemoveDialog({ references, onClose }: RemoveDialogProps) {
  const { ownData, ui } = useMessages()
  const words = ownData.remove
  const { email, phone } = useUser()
  const awaited = email || (phone ? `+${phone.replace(/^\+/, '')}` : '') || words.confirmWord
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const removal = useRemoval()

  const send = (event: FormEvent) => {
    event.preventDefault()
    const isRight = typed.trim().toLowerCase() === awaited.toLowerCase()
    setFault(isRight ? '' : words.mismatch(awaited))
    if (isRight) void removal.run()
    else field.current?.focus()
  }

  return (
    <Dialog
      open
      onClose={onClose}
      role="alertdialog"
      title={words.title}
      footer={
        <>
          <Button onClick={onClose}>{ui.cancel}</Button>
          <Button variant="danger" type="submit" form="remove-account" pending={removal.state.step === 'saving'}>
            {words.submit}
          </Button>
        </>
      }
    >
      <form id="remove-account" className={css.form} onSubmit={send} noValidate>
        <Consequences references={references} />
        <TextField
          ref={field}
          label={words.confirmLabel(awaited)}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          value={typed}
          error={fault}
          onChange={(event) => {
            setTyped(event.target.value)
            setFault('')
          }}
        />
        {removal.state.step === 'failed' && <Refusal error={removal.state.error} />}
      </form>
    </Dialog>
  )
}

/** Ends the account, then everything this browser has of it, and leads to the farewell. */
function useRemoval() {
  const connection = useConnection()
  const store = useSessionStore()
  const { id: projectId, name } = useProject()
  const user = useUser()
  const stepUp = useStepUp()
  return useSave(async () => {
    // The dialog may have stood open for a while.
    if (!(await stepUp('delete-account'))) return
    await unwrap(connection.client.rpc('portico_delete_account'))
    // The token at hand still serves for a moment: the photo goes after the account, so that a refused deletion keeps it.
    if (hasOwnPhoto(user, connection.project)) await removePhoto(connection, user).catch(() => undefined)
    createDrafts(projectId, user.id, sessionStorage).clearAll()
    writeFarewell(name)
    await store.leaveDeleted()
    // A page load: whoever is signed out while a screen inside is still shown is led to the sign-in, and nothing of the person may stay in memory.
    location.replace('/goodbye')
  })
}

function Consequences({ references }: { references: readonly Reference[] }) {
  const words = useMessages().ownData.remove
  const { project } = useConnection()
  const user = useUser()
  const named = (wanted: readonly Reference['onDelete'][]) => [...new Set(references.filter(({ onDelete }) => wanted.includes(onDelete)).map(({ schema, table }) => (schema === 'public' ? table : `${schema}.${table}`)))]
  const blocking = named(['restrict'])
  return (
    <div className={css.consequences}>
      <List heading={words.goes} items={[words.goesAccount, words.goesSessions, ...(hasOwnPhoto(user, project) ? [words.goesPhoto] : []), ...named(['cascade']).map(words.goesRows)]} />
      <List heading={words.stays} items={[...named(['set_null', 'set_default']).map(words.staysRows), words.staysFiles]} />
      {blocking.length > 0 && <List heading={words.blocks} items={blocking} />}
    </div>
  )
}

function List({ heading, items }: { heading: string; items: readonly ReactNode[] }) {
  return (
    <div>
      <p className={css.listHeading}>{heading}</p>
      <ul className={css.list}>
        {items.map((item, index) => (
          <li key={index}>{item}</li>
        ))}
      </ul>
    </div>
  )
}

function Refusal({ error }: { error: AppError }) {
  const { ownData, errors } = useMessages()
  const words = ownData.remove
  const { title, whatToDo, technical } = explain(error, errors)
  if (error.code === 'portico_account_in_use') {
    return (
      <Banner tone="danger" title={words.inUse}>
        {error.details === '' ? words.inUseSomewhere : words.inUseIn(error.details.replace(/^public\./, ''))}
      </Banner>
    )
  }
  return (
    <Banner tone="danger" title={errors.sentences(words.failed, title)}>
      {whatToDo}
      {error.kind === 'broken' && <TechnicalDetails text={technical} />}
    </Banner>
  )
}
