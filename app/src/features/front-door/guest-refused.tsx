import { useLocation } from 'wouter'
import type { AppError } from '#api/app-error.ts'
import { useMessages } from '#messages/messages.tsx'
import { useSessionStore } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { FailureBanner } from './failure-banner.tsx'
import type { SentTo } from './guest-confirm.tsx'
import { useAttempt } from './use-attempt.ts'

/** Why a guest's account was not saved. One that exists already can be signed in to; what the guest did stays behind. */
export function GuestRefused({ error, taken }: { error: AppError | null; taken: SentTo | undefined }) {
  const { ways } = useMessages()
  const store = useSessionStore()
  const [, navigate] = useLocation()
  const leave = useAttempt(async ({ way, address }: SentTo) => {
    const failure = await store.signOut('local')
    if (failure) throw failure
    if (way === 'email') navigate('/sign-in?step=password', { replace: true, state: { email: address } })
    else navigate('/sign-in?step=phone', { replace: true, state: { phone: address } })
  })
  if (!taken) return <FailureBanner error={error} />
  const words = ways.keep
  return (
    <>
      <Banner
        tone="warning"
        role="alert"
        title={taken.way === 'email' ? words.takenTitle : words.takenPhoneTitle}
        action={
          <Button pending={leave.pending} onClick={() => leave.run(taken)}>
            {words.signInInstead}
          </Button>
        }
      >
        {taken.way === 'email' ? words.takenHint : words.takenPhoneHint}
      </Banner>
      <FailureBanner error={leave.error} />
    </>
  )
}
