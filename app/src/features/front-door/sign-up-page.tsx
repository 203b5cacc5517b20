import { useMessages } from '#messages/messages.tsx'
import { useProject } from '#session/session.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Banner } from '#ui/banner.tsx'
import { DoorDivider } from '#ui/door-layout.tsx'
import { Link } from '#ui/link.tsx'
import { CheckMail } from './check-mail.tsx'
import { DoorPage } from './door-page.tsx'
import { WithSettings } from './door-settings.tsx'
import { EmailForm } from './email-form.tsx'
import { Providers } from './providers.tsx'
import { SignUpPassword } from './sign-up-password.tsx'
import { useEnter } from './use-enter.ts'
import { useStep, type DoorStep } from './use-step.ts'

/** `/sign-up`: the address, a password, the confirmation. */
export function SignUpPage() {
  const door = useStep()
  const project = useProject()
  const { frontDoor: words } = useMessages()
  useEnter(door.to)

  if (door.step === 'code') return <CheckMail key={door.email} way="signup" door={door} path="/sign-up" />
  return (
    <DoorPage
      title={door.step === 'password' ? words.signUp.passwordTitle : words.signUp.title(project.name)}
      below={
        <p>
          {words.signUp.haveAccount} <Link href={door.pathOf('/sign-in')}>{words.signUp.signIn}</Link>
        </p>
      }
    >
      {door.step === 'password' ? <SignUpPassword key={door.email} door={door} /> : <FirstStep door={door} />}
    </DoorPage>
  )
}

function FirstStep({ door }: { door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  return (
    <WithSettings>
      {({ email, providers, signUp }) =>
        signUp ? (
          <>
            {email && <EmailForm initial={door.email} submit={words.continue} onSubmit={(address) => door.go('/sign-up', 'password', address)} />}
            {email && providers.length > 0 && <DoorDivider>{words.or}</DoorDivider>}
            {providers.length > 0 && <Providers providers={providers} to={door.to} />}
          </>
        ) : (
          <>
            <Banner title={words.signUp.closedTitle}>{words.signUp.closedHint}</Banner>
            <ButtonLink size="door" wide href={door.pathOf('/sign-in')}>
              {words.backToSignIn}
            </ButtonLink>
          </>
        )
      }
    </WithSettings>
  )
}
