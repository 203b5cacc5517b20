import { useRef, useState, type FormEvent } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { useClient } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import css from '#features/account/factors/factors.module.css'
import { Moments, ProofItem } from '#features/account/factors/proof-item.tsx'
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
  const client = useClient()
  const name = passkey.name || words.unnamed
  if (renaming) {
    return (
      <li className={css.item}>
        <RenameForm passkey={passkey} onChanged={onChanged} onClose={() => setRenaming(false)} />
      </li>
    )
  }
  return (
    <ProofItem
      words={{ ...words, added: words.addedAt }}
      icon="fingerprint"
      name={name}
      about={<Moments words={{ ...words, added: words.addedAt }} createdAt={passkey.createdAt} lastUsedAt={passkey.lastUsedAt} unused={words.neverUsed} />}
      reason="passkeys"
      consequence={words.removeBody}
      onRemove={async () => {
        await removePasskey(client, passkey.id)
        await onRemoved(name)
      }}
    >
      <Button variant="quiet" aria-label={words.renameNamed(name)} onClick={() => setRenaming(true)}>
        {words.rename}
      </Button>
    </ProofItem>
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
