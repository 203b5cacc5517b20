import { useMessages } from '#messages/messages.tsx'
import { useSession } from '#session/session.tsx'
import type { SignedOutReason } from '#session/session-state.ts'
import { Banner } from '#ui/banner.tsx'

const tones: Partial<Record<SignedOutReason, 'success' | 'danger' | 'warning'>> = {
  'signed-out-here': 'success',
  banned: 'danger',
  'damaged-cookies': 'warning',
  'cookies-lost': 'warning',
}

/** Why the person is at the door again. */
export function SignedOutNotice() {
  const session = useSession()
  const { reasons } = useMessages().frontDoor
  if (session.step !== 'signed-out' || session.reason === null || session.reason === 'set-aside') return null
  const { title, whatToDo } = reasons[session.reason]
  return (
    <Banner tone={tones[session.reason] ?? 'info'} title={title}>
      {whatToDo}
    </Banner>
  )
}
