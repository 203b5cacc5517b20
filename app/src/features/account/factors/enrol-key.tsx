import { useRef, useState, type FormEvent } from 'react'
import { unwrapCeremony } from '#api/ceremony.ts'
import { useMessages } from '#messages/messages.tsx'
import { useClient } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'
import { SaveOutcome } from '#features/account/save-outcome.tsx'
import { useSave } from '#features/account/use-save.ts'
import type { EnrolFormProps } from './enrol.tsx'
import { clearUnfinished, freeName } from './factor-list.ts'
import css from './factors.module.css'

/** A security key or this device. It gets its name first: no later call can change it. */
export function EnrolKey({ size, onEnrolled }: EnrolFormProps) {
  const { enrol: words } = useMessages().factors
  const client = useClient()
  const [name, setName] = useState(words.nameDefault)
  const [missing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const register = useSave(async () => {
    const taken = await clearUnfinished(client, 'webauthn')
    try {
      await unwrapCeremony(() => client.auth.mfa.webauthn.register({ friendlyName: freeName(name.trim(), taken) }))
    } catch (failure) {
      // The factor was made before the key was asked for.
      await clearUnfinished(client, 'webauthn').catch(() => undefined)
      throw failure
    }
    await onEnrolled()
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    setMissing(name.trim() === '')
    if (name.trim() === '') field.current?.focus()
    else void register.run()
  }
  return (
    <form onSubmit={send} noValidate className={css.stack}>
      <TextField
        ref={field}
        label={words.name}
        size={size}
        autoFocus
        maxLength={100}
        value={name}
        hint={words.nameHint}
        error={missing && words.nameMissing}
        onChange={(event) => {
          setName(event.target.value)
          setMissing(false)
          register.reset()
        }}
      />
      <p className={css.quiet}>{words.registerLead}</p>
      <SaveOutcome state={register.state} />
      <Button type="submit" variant="primary" size={size} icon="key" wide pending={register.state.step === 'saving'}>
        {words.register}
      </Button>
    </form>
  )
}
