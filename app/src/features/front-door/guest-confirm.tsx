import { useState } from 'react'
import { useLocation } from 'wouter'
import { unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { home, safePath } from '#session/redirects.ts'
import { useSecondsLeft } from '#session/send-lock.ts'
import { useClient, useSessionStore } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { DoorAnswer } from '#ui/door-layout.tsx'
import { Link } from '#ui/link.tsx'
import { CodeForm } from './code-form.tsx'
import { DoorPage } from './door-page.tsx'
import { FailureBanner } from './failure-banner.tsx'
import css from './front-door.module.css'
import { useLockedSend } from './guest-send.ts'
import { callbackAddress } from './send-mail.ts'
import { useAttempt } from './use-attempt.ts'

/** Where a guest's code went. A number as the whole world dials it: `+491711234567`. */
export interface SentTo {
  way: 'email' | 'phone'
  address: string
}

/** The code from the mail or the message makes the guest a person. */
export function GuestConfirm({ sent, onOther }: { sent: SentTo; onOther: () => void }) {
  const { frontDoor, ways } = useMessages()
  const store = useSessionStore()
  const { pending } = useDoorMemory()
  const [, navigate] = useLocation()
  const { auth } = useClient()
  const { way, address } = sent
  const isMail = way === 'email'
  const verify = useAttempt(async (token: string) => {
    await unwrap(isMail ? auth.verifyOtp({ email: address, token, type: 'email_change' }) : auth.verifyOtp({ phone: address, token, type: 'phone_change' }))
    const to = isMail ? safePath(pending.latest()?.to) : home
    pending.forget()
    await store.settle()
    navigate(to, { replace: true })
  })
  const words = isMail ? undefined : { label: ways.phone.code, hint: ways.phone.codeHint, missing: ways.phone.codeMissing }
  return (
    <DoorPage title={isMail ? ways.keep.codeTitle : ways.phone.codeTitle} lead={isMail ? ways.keep.codeLead : ways.phone.codeLead} below={<Link href={home}>{ways.keep.later}</Link>}>
      <DoorAnswer
        action={
          <Button variant="quiet" aria-label={isMail ? frontDoor.changeEmail(address) : ways.phone.change(address)} onClick={onOther}>
            {frontDoor.change}
          </Button>
        }
      >
        <bdi dir="ltr">{address}</bdi>
      </DoorAnswer>
      <CodeForm attempt={verify} wrongCode={isMail ? frontDoor.checkMail.codeWrong : ways.phone.codeWrong} {...(words && { words })} />
      <SendAgain sent={sent} />
    </DoorPage>
  )
}

function SendAgain({ sent: { way, address } }: { sent: SentTo }) {
  const { frontDoor: words, ways } = useMessages()
  const { auth } = useClient()
  const { locks } = useDoorMemory()
  const kind = way === 'email' ? 'email-change' : 'phone'
  const locked = useLockedSend(kind)
  const seconds = useSecondsLeft(locks, kind, address)
  const [isSent, setSent] = useState(false)
  const again = useAttempt(async () => {
    setSent(false)
    // The server looks for whom to send it to by the address they have. A guest has none: the change is asked for again.
    await locked(address, () => unwrap(way === 'email' ? auth.updateUser({ email: address }, { emailRedirectTo: callbackAddress() }) : auth.updateUser({ phone: address })))
    setSent(true)
  })
  const said = way === 'email' ? words.checkMail : ways.phone
  return (
    <div className={css.again}>
      <p role="status">{isSent ? said.sentAgain : said.notThere}</p>
      <FailureBanner error={again.error} />
      <Button variant="quiet" pending={again.pending} disabled={seconds > 0} onClick={() => again.run()}>
        {seconds > 0 ? words.checkMail.sendAgainIn(seconds) : words.checkMail.sendAgain}
      </Button>
    </div>
  )
}
