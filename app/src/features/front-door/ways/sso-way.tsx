import { unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { useClient } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { Link } from '#ui/link.tsx'
import { DoorPage } from '#features/front-door/door-page.tsx'
import { EmailForm } from '#features/front-door/email-form.tsx'
import { FailureBanner } from '#features/front-door/failure-banner.tsx'
import { callbackAddress } from '#features/front-door/send-mail.ts'
import { useAttempt } from '#features/front-door/use-attempt.ts'
import { useCaptcha } from '#features/front-door/use-captcha.ts'
import type { DoorStep } from '#features/front-door/use-step.ts'
import { untilLeft } from './until-left.ts'

const domainOf = (email: string) => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** Found by the domain of the address, an organisation signs its own people in. */
export function SsoWay({ door }: { door: DoorStep }) {
  const { frontDoor, ways: words } = useMessages()
  const { auth } = useClient()
  const { pending, lastWay } = useDoorMemory()
  const captcha = useCaptcha()
  const leave = useAttempt(async (email: string) => {
    lastWay.begin('sso')
    pending.remember({ way: 'provider', email: '', to: door.to })
    await unwrap(auth.signInWithSSO({ domain: domainOf(email), options: { redirectTo: callbackAddress(), ...(await captcha()) } }))
    await untilLeft()
  })
  const isUnknown = leave.error?.code === 'sso_provider_not_found'
  return (
    <DoorPage title={words.sso.title} lead={words.sso.lead} below={<Link href={door.pathOf('/sign-in')}>{frontDoor.backToSignIn}</Link>}>
      <EmailForm label={words.sso.email} initial={door.email} submit={words.sso.submit} pending={leave.pending} onSubmit={(email) => leave.run(email)} onChange={leave.forget}>
        {isUnknown ? (
          <Banner tone="danger" title={words.sso.unknown(domainOf(leave.tried?.[0] ?? ''))}>
            {words.sso.unknownHint}
          </Banner>
        ) : (
          <FailureBanner error={leave.error} />
        )}
      </EmailForm>
    </DoorPage>
  )
}
