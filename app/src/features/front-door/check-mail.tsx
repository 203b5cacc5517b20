import { useState } from 'react'
import { unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { useClient } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { useAnnounce } from '#ui/announcer.tsx'
import { CodeForm } from './code-form.tsx'
import { DoorPage } from './door-page.tsx'
import { FailureBanner } from './failure-banner.tsx'
import css from './front-door.module.css'
import { GivenEmail } from './given-email.tsx'
import { sendMail, type MailRequest } from './send-mail.ts'
import { useAttempt } from './use-attempt.ts'
import { useMailLock, useMailParts } from './use-mail.ts'
import type { DoorStep } from './use-step.ts'

interface CheckMailProps {
  way: MailRequest['way']
  door: DoorStep
  /** The page this is a step of, where the address can be changed. */
  path: string
}

/** A mail is on its way: its link works in any tab, its code is entered here. The page moves on by itself when the link signs in. */
export function CheckMail({ way, door, path }: CheckMailProps) {
  const { frontDoor: words } = useMessages()
  const { auth } = useClient()
  const { email } = door
  const { codeLength } = useDoorMemory()
  const verify = useAttempt(async (token: string) => {
    await unwrap(auth.verifyOtp({ email, token, type: way }))
    codeLength.remember(token.length)
  })
  const lead = { signup: words.checkMail.leadSignUp, email: words.checkMail.leadSignIn, recovery: words.checkMail.leadRecovery }[way]

  return (
    <DoorPage title={words.checkMail.title} lead={lead} below={<Link href={door.pathOf('/sign-in')}>{words.backToSignIn}</Link>}>
      <GivenEmail email={email} change={{ door, path }} />
      <CodeForm attempt={verify} wrongCode={way === 'signup' ? words.checkMail.codeWrongSignUp : words.checkMail.codeWrong} />
      <SendAgain way={way} door={door} />
    </DoorPage>
  )
}

function SendAgain({ way, door }: Omit<CheckMailProps, 'path'>) {
  const { frontDoor: words } = useMessages()
  const mail = useMailParts()
  const announce = useAnnounce()
  const [sent, setSent] = useState(false)
  const { email, to } = door
  const seconds = useMailLock(way, email)
  const send = useAttempt(async () => {
    setSent(false)
    await sendMail(mail, { way, email, to })
    setSent(true)
    announce(words.checkMail.sentAgain)
  })

  return (
    <div className={css.again}>
      <p>
        {sent ? words.checkMail.sentAgain : words.checkMail.notThere}{' '}
        {way === 'signup' && (
          <>
            {words.checkMail.maybeKnown}{' '}
            <Link href={door.pathOf('/sign-in')}>{words.checkMail.signInInstead}</Link>.
          </>
        )}
      </p>
      <FailureBanner error={send.error} />
      <Button variant="quiet" pending={send.pending} disabled={seconds > 0} onClick={() => send.run()}>
        {seconds > 0 ? words.checkMail.sendAgainIn(seconds) : words.checkMail.sendAgain}
      </Button>
    </div>
  )
}
