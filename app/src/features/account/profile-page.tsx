import { useMessages } from '#messages/messages.tsx'
import { useUser } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { AccountFrame } from './account-frame.tsx'
import css from './account.module.css'
import { EmailSection } from './email-section.tsx'
import { IdentitiesSection } from './identities/identities-section.tsx'
import { NameSection } from './name-section.tsx'
import { PhoneSection } from './phone-section.tsx'
import { PhotoSection } from './photo/photo-section.tsx'
import { PreferencesSection } from './preferences-section.tsx'

/** `/account`: who one is here, and the ways to be reached and to sign in. A guest is first shown how to stay. */
export function ProfilePage() {
  const { account: words } = useMessages()
  const { is_anonymous: isGuest } = useUser()
  return (
    <AccountFrame title={words.profile}>
      {isGuest && (
        <div className={css.notice}>
          <Banner role="none" title={words.guestNotice.title} action={<ButtonLink href="/save-account">{words.guestNotice.action}</ButtonLink>}>
            {words.guestNotice.body}
          </Banner>
        </div>
      )}
      <PhotoSection />
      <NameSection />
      {/* A guest's address or number comes with a password, and with what the operator asks: on the page that saves the account. */}
      {!isGuest && (
        <>
          <EmailSection />
          <PhoneSection />
        </>
      )}
      <IdentitiesSection />
      <PreferencesSection />
    </AccountFrame>
  )
}
