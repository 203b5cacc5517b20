import { useMessages } from '#messages/messages.tsx'
import { useClient } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import type { MethodFormProps } from './challenge.tsx'
import { Refusal } from './refusal.tsx'
import { useAttempt } from './use-attempt.ts'
import { verifyKey } from './verify-factor.ts'

/** A security key or this device. It waits for a press: browsers open their window for a person's own doing only. */
export function KeyForm({ method, size, onDone }: MethodFormProps) {
  const { secondFactor: words } = useMessages()
  const client = useClient()
  const attempt = useAttempt(async () => {
    await verifyKey(client, method.id)
    onDone()
  })
  return (
    <>
      <Refusal error={attempt.error} waitSeconds={attempt.waitSeconds} />
      <Button variant="primary" size={size} icon="key" wide autoFocus pending={attempt.pending} disabled={attempt.waitSeconds > 0} onClick={() => attempt.run()}>
        {words.useKey}
      </Button>
    </>
  )
}
