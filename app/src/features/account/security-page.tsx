import { lazy, Suspense } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { AccountFrame } from './account-frame.tsx'
import { PasswordSection } from './password-section.tsx'
import { SignOutSection } from './sign-out-section.tsx'

const FactorsSection = lazy(async () => ({ default: (await import('./factors/factors-section.tsx')).FactorsSection }))
const PasskeysSection = lazy(async () => ({ default: (await import('./passkeys/passkeys-section.tsx')).PasskeysSection }))

/** `/account/security`: the password, second factors and passkeys, and where one is signed in. */
export function SecurityPage() {
  const { account: words } = useMessages()
  return (
    <AccountFrame title={words.security}>
      <PasswordSection />
      <Suspense>
        <FactorsSection />
        <PasskeysSection />
      </Suspense>
      <SignOutSection />
    </AccountFrame>
  )
}
