import { useRef, useState, type FormEvent } from 'react'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { useClient } from '#session/session.tsx'
import { useStepUp } from '#session/step-up.ts'
import { Button } from '#ui/button.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { DateTime } from '#ui/date-time.tsx'
import { Icon } from '#ui/icon.tsx'
import { TextField } from '#ui/text-field.tsx'
import css from '#features/account/factors/factors.module.css'
import { SaveOutcome } from '#features/account/save-outcome.tsx'
import { useSave } from '#features/account/use-save.ts'
import { removePasskey, renamePasskey, type Passkey } from './passkeys.ts'

interface PasskeyItemProps {
  passkey: Passkey
  onChanged: () => Promise<void>
  onRemoved: (name: string) => Promise<void>
}

/** One passkey, with when it came and was used; it can be renamed and removed. */
export function PasskeyItem({ passkey, onChanged, onRemoved }: PasskeyItemProps) {
  const { passkeys: words } = useMessages().factors
  const [renaming, setRenaming] = useState(false)
  const name = passkey.name || words.unnamed
  if (renaming) {
    return (
      <li className={css.item}>
        <RenameForm passkey={passkey} onChanged={onChanged} onClose={() => setRenaming(false)} />
      </li>
    )
  }
  return (
    <li className={css.item}>
      <Icon name="fingerprint" className={css.icon} />
      <div className={css.about}>
        <p className={css.name}>{name}</p>
        <p className={css.quiet}>
          {words.addedAt} <DateTime value={passkey.createdAt} show="date" /> ·{' '}
          {passkey.lastUsedAt ? (
            <>
              {words.lastUsed} <DateTime value={passkey.lastUsedAt} show="relative" />
            </>
          ) : (
            words.neverUsed
          )}
        </p>
      </div>
      <div className={css.row}>
        <Button variant="quiet" aria-label={words.renameNamed(name)} onClick={() => setRenaming(true)}>
          {words.rename}
        </Button>
        <Remove passkey={passkey} name={name} onRemoved={onRemoved} />
      </div>
    </li>
  )
}

const maxLength = 120

function RenameForm({ passkey, onChanged, onClose }: Pick<PasskeyItemProps, 'passkey' | 'onChanged'> & { onClose: () => void }) {
  const { passkeys: words } = useMessages().factors
  const client = useClient()
  const [name, setName] = useState(passkey.name)
  const [fault, setFault] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const save = useSave(async () => {
    await renamePasskey(client, passkey.id, name.trim())
    await onChanged()
    onClose()
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    const length = name.trim().length
    const found = length === 0 ? words.nameMissing : length > maxLength ? words.nameTooLong : ''
    setFault(found)
    if (found) field.current?.focus()
    else void save.run()
  }
  return (
    <form onSubmit={send} noValidate className={css.rename}>
      <TextField
        ref={field}
        label={words.name}
        autoFocus
        value={name}
        error={fault}
        onChange={(event) => {
          setName(event.target.value)
          setFault('')
          save.reset()
        }}
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      />
      <SaveOutcome state={save.state} />
      <div className={css.row}>
        <Button type="submit" variant="primary" pending={save.state.step === 'saving'}>
          {words.save}
        </Button>
        <Button onClick={onClose}>{words.cancel}</Button>
      </div>
    </form>
  )
}

function Remove({ passkey, name, onRemoved }: Pick<PasskeyItemProps, 'passkey' | 'onRemoved'> & { name: string }) {
  const { factors, errors } = useMessages()
  const { passkeys: words } = factors
  const client = useClient()
  const stepUp = useStepUp()
  const [asking, setAsking] = useState(false)
  const remove = useSave(async () => {
    await removePasskey(client, passkey.id)
    await onRemoved(name)
  })
  const failed = remove.state.step === 'failed' ? explain(remove.state.error, errors) : null
  return (
    <>
      <Button variant="quiet" aria-label={words.removeNamed(name)} onClick={() => void stepUp('passkeys').then((isProven) => isProven && setAsking(true))}>
        {words.remove}
      </Button>
      <ConfirmDialog
        open={asking}
        title={words.removeTitle(name)}
        confirmLabel={words.remove}
        error={failed && errors.sentences(failed.title, failed.whatToDo)}
        onConfirm={() => remove.run()}
        onClose={() => {
          remove.reset()
          setAsking(false)
        }}
      >
        {words.removeBody}
      </ConfirmDialog>
    </>
  )
}
