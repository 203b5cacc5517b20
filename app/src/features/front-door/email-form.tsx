import { useRef, useState, type FormEvent, type ReactNode, type Ref } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { findEmailFault, type EmailFault } from '#session/email-address.ts'
import { Button } from '#ui/button.tsx'
import { TextField } from '#ui/text-field.tsx'

interface EmailFieldProps {
  ref?: Ref<HTMLInputElement>
  label?: string | undefined
  value: string
  fault: EmailFault | undefined
  /** The browser may offer passkeys in the field. */
  withPasskeys?: boolean | undefined
  autoFocus?: boolean
  onType: (text: string) => void
}

/** Where an address is typed at the door. */
export function EmailField({ label, fault, withPasskeys, onType, ...rest }: EmailFieldProps) {
  const { frontDoor: words } = useMessages()
  return (
    <TextField
      {...rest}
      label={label ?? words.email}
      size="door"
      type="email"
      name="email"
      inputMode="email"
      autoComplete={withPasskeys ? 'username webauthn' : 'username'}
      autoCapitalize="none"
      autoCorrect="off"
      spellCheck={false}
      required
      error={fault && (fault === 'missing' ? words.emailMissing : words.emailMalformed)}
      onChange={(event) => onType(event.target.value)}
    />
  )
}

interface EmailFormProps extends Pick<EmailFieldProps, 'label' | 'withPasskeys'> {
  initial: string
  submit: string
  pending?: boolean
  onSubmit: (email: string) => void
  onChange?: ((email: string) => void) | undefined
  /** Between the field and the button: what the server said. */
  children?: ReactNode
}

/** The first question: which address. */
export function EmailForm({ label, withPasskeys, initial, submit, pending, onSubmit, onChange, children }: EmailFormProps) {
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
  const type = (text: string) => {
    setEmail(text)
    onChange?.(text)
    if (fault && !findEmailFault(text)) setFault(undefined)
  }

  return (
    <form onSubmit={send} noValidate>
      <EmailField ref={field} label={label} withPasskeys={withPasskeys} autoFocus value={email} fault={fault} onType={type} />
      {children}
      <Button type="submit" variant="primary" size="door" wide pending={pending}>
        {submit}
      </Button>
    </form>
  )
}
