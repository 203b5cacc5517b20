import { useMessages } from '#messages/messages.tsx'
import { DoorAnswer } from '#ui/door-layout.tsx'
import { DoorLink } from './door-link.tsx'
import css from './front-door.module.css'
import type { DoorStep } from './use-step.ts'

interface GivenEmailProps {
  email: string
  /** The page where it can be changed; without it, it stands. */
  change?: { door: DoorStep; path: string }
}

/** The address given a step ago, editable, and there for password managers to file the password under. */
export function GivenEmail({ email, change }: GivenEmailProps) {
  const { frontDoor: words } = useMessages()
  return (
    <DoorAnswer
      action={
        change && (
          <DoorLink door={change.door} to={change.path} label={words.changeEmail(email)}>
            {words.change}
          </DoorLink>
        )
      }
    >
      {email}
      <input className={css.forManagers} type="email" name="username" autoComplete="username" value={email} readOnly tabIndex={-1} aria-hidden />
    </DoorAnswer>
  )
}
