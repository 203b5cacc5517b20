import { useMessages } from '#messages/messages.tsx'
import { AccountFrame } from './account-frame.tsx'
import { PasswordSection } from './password-section.tsx'
import { SignOutSection } from './sign-out-section.tsx'

/** `/account/security`: the password, and where one is signed in. */
export function SecurityPage() {
  const { account: words } = useMessages()
  return (
    <AccountFrame title={words.security}>
      <PasswordSection />
      <SignOutSection />
    </AccountFrame>
  )
}
