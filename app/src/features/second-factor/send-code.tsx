import { useMessages } from '#messages/messages.tsx'
import { Button } from '#ui/button.tsx'
import { Refusal } from './refusal.tsx'
import type { Attempt } from './use-attempt.ts'

interface SendCodeProps {
  sending: Attempt<[]>
  /** Until the next one may be sent. */
  seconds: number
  /** What the first press says. */
  label: string
  isSent: boolean
  size?: 'door' | 'inside' | undefined
}

/** Sends a code, and again once the server's interval is over. */
export function SendCode({ sending, seconds, label, isSent, size }: SendCodeProps) {
  const { secondFactor: words } = useMessages()
  const text = isSent ? words.sendAgain : label
  return (
    <>
      {!isSent && <Refusal error={sending.error} waitSeconds={seconds} />}
      <Button variant={isSent ? 'quiet' : 'primary'} size={size} wide={!isSent} pending={sending.pending} disabled={seconds > 0} onClick={() => sending.run()}>
        {seconds > 0 ? words.sendAgainIn(seconds) : text}
      </Button>
    </>
  )
}
