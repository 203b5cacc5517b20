import { lazy, Suspense } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { useUser } from '#session/session.tsx'
import { AccountFrame } from './account-frame.tsx'
import { ActivitySection } from './activity/activity-section.tsx'
import { PasswordSection } from './password/password-section.tsx'
import { usePack } from './queries.ts'
import { SessionsSection } from './sessions/sessions-section.tsx'
import { SignOutSection } from './sign-out-section.tsx'
import { useFreshAccount } from './use-fresh-account.ts'

const FactorsSection = lazy(async () => ({ default: (await import('./factors/factors-section.tsx')).FactorsSection }))
const PasskeysSection = lazy(async () => ({ default: (await import('./passkeys/passkeys-section.tsx')).PasskeysSection }))

/** `/account/security`: how one proves who one is, where one is signed in, and what happened. Guests have but the session itself. */
export function SecurityPage() {
  const { account: words } = useMessages()
  const { is_anonymous: isGuest } = useUser()
  const pack = usePack()
  useFreshAccount()
  return (
    <AccountFrame title={words.security}>
      {!isGuest && (
        <>
          <PasswordSection />
          <Suspense>
            <FactorsSection />
            <PasskeysSection />
          </Suspense>
        </>
      )}
      {pack && <SessionsSection />}
      <SignOutSection withOthers={pack === null} />
      {pack && <ActivitySection />}
    </AccountFrame>
  )
}
