import type { AuthSettings } from '#api/auth-settings.ts'
import { useMessages } from '#messages/messages.tsx'
import { useProject } from '#session/session.tsx'
import { buttonClass, ButtonLink } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { useBrandText, useOperatorText } from './brand-text.ts'
import { CheckMail } from './check-mail.tsx'
import { DoorPage } from './door-page.tsx'
import { WithSettings } from './door-settings.tsx'
import { listOtherWays, useDoor, type OtherWay } from './door-ways.ts'
import { EmailForm } from './email-form.tsx'
import css from './front-door.module.css'
import { OtherWays } from './other-ways.tsx'
import { useDoorSettings } from './settings-store.ts'
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
  const { data } = useDoorSettings()
  useEnter(door.to)

  if (data?.signUp === false) return <Closed door={door} />
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
  return <WithSettings>{(settings) => <Open settings={settings} door={door} />}</WithSettings>
}

/** Those that make an account by themselves; an organisation's people and passkeys have one already. */
const makesAccounts = ({ kind }: OtherWay) => kind === 'provider' || kind === 'phone' || kind === 'wallet' || kind === 'guest'

function Open({ settings, door }: { settings: AuthSettings; door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  const ways = listOtherWays(settings, useDoor()).filter(makesAccounts)
  return (
    <>
      {settings.email && <EmailForm initial={door.email} submit={words.continue} onSubmit={(address) => door.go('/sign-up', 'password', address)} />}
      {ways.length > 0 && <OtherWays ways={ways} door={door} isDivided={settings.email} />}
      {ways.length > 0 && <AgreementByGoingOn className={css.fine} />}
    </>
  )
}

/** No account can be made: whom to ask, in the operator's words. */
function Closed({ door }: { door: DoorStep }) {
  const { frontDoor: words, ways } = useMessages()
  const { signUp } = useDoor()
  const text = useOperatorText()
  const { closedText, closedContact } = signUp
  return (
    <DoorPage title={words.signUp.closedTitle} lead={closedText === undefined ? words.signUp.closedHint : text(closedText)}>
      {closedContact && (
        <a className={buttonClass({ variant: 'primary', size: 'door', wide: true })} href={closedContact}>
          {ways.signUp.contact}
        </a>
      )}
      <ButtonLink variant={closedContact ? 'secondary' : 'primary'} size="door" wide href={door.pathOf('/sign-in')}>
        {words.backToSignIn}
      </ButtonLink>
    </DoorPage>
  )
}
