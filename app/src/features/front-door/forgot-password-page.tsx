import { useState } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { Link } from '#ui/link.tsx'
import { CheckMail } from './check-mail.tsx'
import { DoorPage } from './door-page.tsx'
import { EmailForm } from './email-form.tsx'
import { FailureBanner } from './failure-banner.tsx'
import { sendMail } from './send-mail.ts'
import { useAttempt } from './use-attempt.ts'
import { useEnter } from './use-enter.ts'
import { useMailLock, useMailParts } from './use-mail.ts'
import { useStep, type DoorStep } from './use-step.ts'

/** `/forgot-password`: the address, then a mailed link or code. */
export function ForgotPasswordPage() {
  const door = useStep()
  const { frontDoor: words } = useMessages()
  useEnter(door.to, { whenSignedIn: false })

  if (door.step === 'code') return <CheckMail key={door.email} way="recovery" door={door} path="/forgot-password" />
  return (
    <DoorPage title={words.forgot.title} lead={words.forgot.lead} below={<Link href={door.pathOf('/sign-in')}>{words.backToSignIn}</Link>}>
      <AskForMail door={door} />
    </DoorPage>
  )
}

function AskForMail({ door }: { door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  const mail = useMailParts()
  const [typed, setTyped] = useState(door.email)
  const seconds = useMailLock('recovery', typed)
  const send = useAttempt(async (email: string) => {
    // Sent a moment ago: the mail is there, another would break its link.
    const sentAlready = mail.locks.secondsLeft('sign-in', email) > 0 && mail.pending.latest()?.way === 'recovery'
    if (!sentAlready) await sendMail(mail, { way: 'recovery', email, to: door.to })
    door.go('/forgot-password', 'code', email)
  })
  const waits = seconds > 0 && mail.pending.latest()?.way !== 'recovery'

  return (
    <EmailForm
      initial={door.email}
      submit={waits ? words.forgot.submitLocked(seconds) : words.forgot.submit}
      pending={send.pending}
      onChange={setTyped}
      onSubmit={(email) => !waits && send.run(email)}
    >
      <FailureBanner error={send.error} />
    </EmailForm>
  )
}
