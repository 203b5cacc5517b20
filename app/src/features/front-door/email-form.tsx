import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { findEmailFault, type EmailFault } from '#session/email-address.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'

interface EmailFormProps {
  initial: string
  submit: string
  pending?: boolean
  onSubmit: (email: string) => void
  onChange?: ((email: string) => void) | undefined
  /** Between the field and the button: what the server said. */
  children?: ReactNode
}

/** The first question: which address. */
export function EmailForm({ initial, submit, pending, onSubmit, onChange, children }: EmailFormProps) {
  const { frontDoor: words } = useMessages()
  const [email, setEmail] = useState(initial)
  const [fault, setFault] = useState<EmailFault>()
  const field = useRef<HTMLInputElement>(null)

  const send = (event: FormEvent) => {
    event.preventDefault()
    const found = findEmailFault(email)
    setFault(found)
    if (found) field.current?.focus()
    else onSubmit(email.trim())
  }

  return (
    <form onSubmit={send} noValidate>
      <TextField
        ref={field}
        label={words.email}
        size="door"
        type="email"
        name="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        autoCorrect="off"
        spellCheck={false}
        autoFocus
        required
        value={email}
        error={fault && (fault === 'missing' ? words.emailMissing : words.emailMalformed)}
        onChange={(event) => {
          setEmail(event.target.value)
          onChange?.(event.target.value)
          if (fault && !findEmailFault(event.target.value)) setFault(undefined)
        }}
      />
      {children}
      <Button type="submit" variant="primary" size="door" wide pending={pending}>
        {submit}
      </Button>
    </form>
  )
}
