import { useMessages } from '#messages/messages.tsx'
import { AccountFrame } from './account-frame.tsx'
import { EmailSection } from './email-section.tsx'
import { NameSection } from './name-section.tsx'

/** `/account`: the name and the address. */
export function ProfilePage() {
  const { account: words } = useMessages()
  return (
    <AccountFrame title={words.profile}>
      <NameSection />
      <EmailSection />
    </AccountFrame>
  )
}
