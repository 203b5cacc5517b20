import type { AuthSettings } from '#api/auth-settings.ts'
import { useMessages } from '#messages/messages.tsx'
import { useProject } from '#session/session.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { Banner } from '#ui/banner.tsx'
import { DoorDivider } from '#ui/door-layout.tsx'
import { Link } from '#ui/link.tsx'
import { useBrandText, useOperatorText } from './brand-text.ts'
import { CheckMail } from './check-mail.tsx'
import { DoorPage } from './door-page.tsx'
import { WithSettings } from './door-settings.tsx'
import { listOtherWays, useDoor, type OtherWay } from './door-ways.ts'
import { EmailForm } from './email-form.tsx'
import css from './front-door.module.css'
import { OtherWays } from './other-ways.tsx'
import { AgreementByGoingOn } from './sign-up-fields.tsx'
import { SignUpPassword } from './sign-up-password.tsx'
import { useEnter } from './use-enter.ts'
import { useStep, type DoorStep } from './use-step.ts'

/** `/sign-up`: the address, a password, the confirmation. */
export function SignUpPage() {
  const door = useStep()
  const project = useProject()
  const { frontDoor: words } = useMessages()
  const brandText = useBrandText()
  useEnter(door.to)

  if (door.step === 'code') return <CheckMail key={door.email} way="signup" door={door} path="/sign-up" />
  return (
    <DoorPage
      title={door.step === 'password' ? words.signUp.passwordTitle : (brandText('signUpTitle') ?? words.signUp.title(project.name))}
      lead={door.step === 'password' ? undefined : brandText('signUpLead')}
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
  return (
    <WithSettings>{(settings) => (settings.signUp ? <Open settings={settings} door={door} /> : <Closed door={door} />)}</WithSettings>
  )
}

/** Those that make an account by themselves; an organisation's people and passkeys have one already. */
const makesAccounts = ({ kind }: OtherWay) => kind === 'provider' || kind === 'phone' || kind === 'wallet' || kind === 'guest'

function Open({ settings, door }: { settings: AuthSettings; door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  const ways = listOtherWays(settings, useDoor()).filter(makesAccounts)
  return (
    <>
      {settings.email && <EmailForm initial={door.email} submit={words.continue} onSubmit={(address) => door.go('/sign-up', 'password', address)} />}
      {settings.email && ways.length > 0 && <DoorDivider>{words.or}</DoorDivider>}
      {ways.length > 0 && <OtherWays ways={ways} door={door} />}
      {ways.length > 0 && <AgreementByGoingOn className={css.fine} />}
    </>
  )
}

function Closed({ door }: { door: DoorStep }) {
  const { frontDoor: words, ways } = useMessages()
  const { signUp } = useDoor()
  const text = useOperatorText()
  return (
    <>
      <Banner role="none" title={words.signUp.closedTitle} action={signUp.closedContact && <Link href={signUp.closedContact}>{ways.signUp.contact}</Link>}>
        {signUp.closedText === undefined ? words.signUp.closedHint : text(signUp.closedText)}
      </Banner>
      <ButtonLink size="door" wide href={door.pathOf('/sign-in')}>
        {words.backToSignIn}
      </ButtonLink>
    </>
  )
}
