import { useState, type FormEvent } from 'react'
import { unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDraft } from '#session/drafts.ts'
import { useClient, useUser } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import css from './account.module.css'
import { Section } from './account-frame.tsx'
import { nameKeyOf, nameOf } from './person.ts'
import { SaveOutcome } from './save-outcome.tsx'
import { useSave } from './use-save.ts'

const maxLength = 120
const isText = (value: unknown): value is string => typeof value === 'string'

export function NameSection() {
  const { account: words } = useMessages()
  const user = useUser()
  const { auth } = useClient()
  const kept = useDraft('account:name', isText)
  const [name, setName] = useState(kept.draft ?? nameOf(user))
  const changed = name.trim() !== nameOf(user)
  const tooLong = name.trim().length > maxLength
  const save = useSave(async () => {
    await unwrap(auth.updateUser({ data: { [nameKeyOf(user)]: name.trim() } }))
    kept.clear()
  })

  const send = (event: FormEvent) => {
    event.preventDefault()
    if (changed && !tooLong) void save.run()
  }

  return (
    <Section heading={words.name.heading} lead={words.name.lead}>
      <form onSubmit={send} noValidate>
        <TextField
          label={words.name.label}
          autoComplete="name"
          value={name}
          error={tooLong && words.name.tooLong}
          onChange={(event) => {
            setName(event.target.value)
            kept.save(event.target.value)
            save.reset()
          }}
        />
        <SaveOutcome state={save.state} saved={words.name.saved} />
        <div className={css.actions}>
          <Button type="submit" variant={changed ? 'primary' : 'secondary'} disabled={!changed || tooLong} pending={save.state.step === 'saving'}>
            {words.save}
          </Button>
        </div>
      </form>
    </Section>
  )
}
