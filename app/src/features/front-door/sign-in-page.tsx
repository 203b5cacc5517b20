import { parseAuthSettings } from '#api/auth-settings.ts'
import { useMessages } from '#messages/messages.tsx'
import { useProject, useSession } from '#session/session.tsx'
import { DoorDivider } from '#ui/door-layout.tsx'
import { Link } from '#ui/link.tsx'
import { Banner } from '#ui/banner.tsx'
import { CheckMail } from './check-mail.tsx'
import { DoorPage } from './door-page.tsx'
import { WithSettings } from './door-settings.tsx'
import { EmailForm } from './email-form.tsx'
import { Providers } from './providers.tsx'
import { SignInPassword } from './sign-in-password.tsx'
import { SignedOutNotice } from './signed-out-notice.tsx'
import { useDoorSettings } from './settings-store.ts'
import { useEnter } from './use-enter.ts'
import { useStep, type DoorStep } from './use-step.ts'

/** `/sign-in`: the address, then the password, or a mailed link or code. */
export function SignInPage() {
  const door = useStep()
  const project = useProject()
  const { frontDoor: words } = useMessages()
  useEnter(door.to)

  if (door.step === 'code') return <CheckMail key={door.email} way="email" door={door} path="/sign-in" />
  return (
    <DoorPage title={words.signIn.title(project.name)} below={<NoAccount door={door} />}>
      {door.step === 'password' ? <SignInPassword key={door.email} door={door} /> : <FirstStep door={door} />}
    </DoorPage>
  )
}

const usual = parseAuthSettings({})

function FirstStep({ door }: { door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  const session = useSession()
  // Whoever lost a session need not say again who they are; whoever left on purpose may share the computer.
  const known = session.step === 'signed-out' && session.reason !== 'signed-out-here' ? (session.last?.email ?? '') : ''
  return (
    <WithSettings assumed={usual}>
      {({ email, providers }) => (
        <>
          <SignedOutNotice />
          {email && <EmailForm initial={door.email || known} submit={words.continue} onSubmit={(address) => door.go('/sign-in', 'password', address)} />}
          {email && providers.length > 0 && <DoorDivider>{words.or}</DoorDivider>}
          {providers.length > 0 && <Providers providers={providers} to={door.to} />}
          {!email && providers.length === 0 && (
            <Banner tone="warning" title={words.signIn.nothingOn}>
              {words.signIn.nothingOnHint}
            </Banner>
          )}
        </>
      )}
    </WithSettings>
  )
}

function NoAccount({ door }: { door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  const { data } = useDoorSettings()
  if (!data) return null
  const { email, providers, signUp } = data
  if (!email && providers.length === 0) return null
  if (!signUp) return <p>{words.signIn.closed}</p>
  return (
    <p>
      {words.signIn.noAccount} <Link href={door.pathOf('/sign-up')}>{words.signIn.signUp}</Link>
    </p>
  )
}
