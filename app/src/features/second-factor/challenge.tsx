import { useState } from 'react'
import type { User } from '#api/client.ts'
import { useMessages } from '#messages/messages.tsx'
import { useProject } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { AppCodeForm } from './app-code-form.tsx'
import { KeyForm } from './key-form.tsx'
import { lastUsedMethod, listMethods, rememberMethod, type Method } from './methods.ts'
import { RecoveryCodeForm } from './recovery-code-form.tsx'
import css from './second-factor.module.css'
import { TextedCodeForm } from './texted-code-form.tsx'

/** What each form of a factor needs. */
export interface MethodFormProps {
  method: Method
  size: 'door' | 'inside'
  /** The factor was shown; the session is the client's to keep. */
  onDone: () => void
}

const forms = { totp: AppCodeForm, phone: TextedCodeForm, webauthn: KeyForm, recovery: RecoveryCodeForm } as const

/** Which factor is asked for, and the choice among several. */
export function useMethods(user: User) {
  const { id: projectId } = useProject()
  const [lastUsed] = useState(() => lastUsedMethod(projectId, user.id))
  const [chosenId, choose] = useState<string>()
  const methods = listMethods(user, lastUsed)
  const chosen = methods.find(({ id }) => id === chosenId) ?? methods[0]
  return { methods, chosen, choose }
}

export type Methods = ReturnType<typeof useMethods>

interface ChallengeProps {
  user: User
  choice: Methods
  size: MethodFormProps['size']
  onDone: () => void
}

/** Asks for one second factor, the one used last first; the others stand below. */
export function Challenge({ user, choice: { methods, chosen, choose }, size, onDone }: ChallengeProps) {
  const { secondFactor: words } = useMessages()
  const { id: projectId } = useProject()
  const others = methods.filter((method) => method !== chosen)
  if (!chosen) return null
  const Form = forms[chosen.kind]
  const done = () => {
    if (chosen.kind !== 'recovery') rememberMethod(projectId, user.id, chosen.id)
    onDone()
  }
  const label = ({ kind, name }: Method) => (methods.filter((method) => method.kind === kind).length > 1 && name !== '' ? words.named(words.ways[kind], name) : words.ways[kind])

  return (
    <div className={css.stack}>
      <Form key={chosen.id} method={chosen} size={size} onDone={done} />
      {others.length > 0 && (
        <div className={css.others} role="group" aria-label={words.otherWay}>
          <p className={css.quiet}>{words.otherWay}</p>
          {others.map((method) => (
            <Button key={method.id} size={size} wide onClick={() => choose(method.id)}>
              {label(method)}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
