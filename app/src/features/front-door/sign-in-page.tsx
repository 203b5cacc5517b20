import { useState } from 'react'
import { parseAuthSettings, type AuthSettings } from '#api/auth-settings.ts'
import { useMessages } from '#messages/messages.tsx'
import { hasKeptAccounts } from '#session/kept-accounts-key.ts'
import { withReturn } from '#session/redirects.ts'
import { useConnection, useProject, useSession } from '#session/session.tsx'
import { Banner } from '#ui/banner.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { ErrorBoundary } from '#ui/error-boundary.tsx'
import { Link } from '#ui/link.tsx'
import { SkeletonShape } from '#ui/skeleton.tsx'
import { useBrandText } from './brand-text.ts'
import { DoorPage } from './door-page.tsx'
import { WithSettings } from './door-settings.tsx'
import { hasPasskeys, listOtherWays, useDoor } from './door-ways.ts'
import { EmailForm } from './email-form.tsx'
import css from './front-door.module.css'
import { OtherWays } from './other-ways.tsx'
import { RememberMe } from './remember-me.tsx'
import { SignedOutNotice } from './signed-out-notice.tsx'
import { useDoorSettings } from './settings-store.ts'
import { useEnter } from './use-enter.ts'
import { usePart } from '#messages/use-part.ts'
import { useStep, type DoorStep } from './use-step.ts'
import { Waiting } from './waiting.tsx'

/** `/sign-in`: the address, then the password, or a mailed link or code; or another way the project has. */
export function SignInPage() {
  const door = useStep()
  const project = useProject()
  const { frontDoor: words } = useMessages()
  const brandText = useBrandText()
  useEnter(door.to)

  if (door.step === 'code') return <CodeStep key={door.email} door={door} />
  if (door.step === 'phone' || door.step === 'phone-code') return <PhoneStep key={door.phone + door.step} door={door} />
  if (door.step === 'sso') return <SsoStep door={door} />
  return (
    <DoorPage title={brandText('signInTitle') ?? words.signIn.title(project.name)} lead={brandText('signInLead')} below={<NoAccount door={door} />}>
      {door.step === 'password' ? <PasswordStep key={door.email} door={door} /> : <FirstStep door={door} />}
    </DoorPage>
  )
}

const loadSteps = () => import('./sign-in-steps.ts')
const nothing = () => null

/** Fetches what comes next while the first question is answered; without a network it is asked for again by then. */
const Ahead = () => (
  <ErrorBoundary fallback={nothing}>
    <Steps />
  </ErrorBoundary>
)

function Steps() {
  usePart(loadSteps, 'refusals')
  return null
}

function CodeStep({ door }: { door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  const part = usePart(loadSteps, 'refusals')
  return part ? <part.CheckMail way="email" door={door} path="/sign-in" /> : <Waiting title={words.checkMail.title} />
}

function PasswordStep({ door }: { door: DoorStep }) {
  const part = usePart(loadSteps, 'refusals')
  return part ? <part.SignInPassword door={door} /> : <Room />
}

function WholeStep(props: { door: DoorStep; initial: string; withPasskeys: boolean }) {
  const part = usePart(loadSteps, 'refusals')
  return part ? <part.SignInWhole {...props} /> : <Room />
}

/** What is not there yet takes the room it will have: two fields and a button. */
const Room = () => (
  <div className={css.room} aria-hidden>
    <SkeletonShape height="58px" />
    <SkeletonShape height="58px" />
    <SkeletonShape height="40px" />
  </div>
)

const loadPhone = () => import('./ways/phone-way.tsx')
const loadSso = () => import('./ways/sso-way.tsx')

function PhoneStep({ door }: { door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  const project = useProject()
  const part = usePart(loadPhone, 'ways')
  return part ? <part.PhoneWay door={door} /> : <Waiting title={words.signIn.title(project.name)} />
}

function SsoStep({ door }: { door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  const project = useProject()
  const part = usePart(loadSso, 'ways')
  return part ? <part.SsoWay door={door} /> : <Waiting title={words.signIn.title(project.name)} />
}

const usual = parseAuthSettings({})

function FirstStep({ door }: { door: DoorStep }) {
  return (
    <WithSettings assumed={usual}>
      {(settings) => (
        <>
          <SignedOutNotice />
          <Ahead />
          <KeptAccountsLink to={door.to} />
          <Ways settings={settings} door={door} />
        </>
      )}
    </WithSettings>
  )
}

/** The way to the accounts that stay signed in on this browser, where there are any. */
function KeptAccountsLink({ to }: { to: string }) {
  const { frontDoor: words } = useMessages()
  const { cookies } = useConnection()
  const [isOffered] = useState(() => hasKeptAccounts(cookies.name))
  return (
    isOffered && (
      <ButtonLink href={withReturn('/accounts', to)} size="door" wide>
        {words.signIn.keptAccounts}
      </ButtonLink>
    )
  )
}

function Ways({ settings, door }: { settings: AuthSettings; door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  const session = useSession()
  const operator = useDoor()
  const ways = listOtherWays(settings, operator)
  // Whoever lost a session need not say again who they are; whoever left on purpose may share the computer.
  const known = session.step === 'signed-out' && session.reason !== 'signed-out-here' && session.reason !== 'set-aside' ? (session.last?.email ?? '') : ''
  const initial = door.email || known
  const withPasskeys = hasPasskeys(settings, operator)
  if (!settings.email && ways.length === 0) {
    return (
      <Banner tone="warning" title={words.signIn.nothingOn}>
        {words.signIn.nothingOnHint}
      </Banner>
    )
  }
  return (
    <>
      {settings.email && operator.identifierFirst && (
        <EmailForm initial={initial} submit={words.continue} withPasskeys={withPasskeys} onSubmit={(address) => door.go('/sign-in', 'password', address)}>
          <RememberMe />
        </EmailForm>
      )}
      {settings.email && !operator.identifierFirst && <WholeStep door={door} initial={initial} withPasskeys={withPasskeys} />}
      {ways.length > 0 && <OtherWays ways={ways} door={door} isDivided={settings.email} />}
    </>
  )
}

function NoAccount({ door }: { door: DoorStep }) {
  const { frontDoor: words } = useMessages()
  const { data } = useDoorSettings()
  const { signUp: operator } = useDoor()
  if (!data) return null
  const { email, providers, signUp } = data
  if (!email && providers.length === 0) return null
  if (!signUp && operator.closedText === undefined && operator.closedContact === undefined) return <p>{words.signIn.closed}</p>
  return (
    <p>
      {signUp ? words.signIn.noAccount : words.signIn.closed} <Link href={door.pathOf('/sign-up')}>{signUp ? words.signIn.signUp : words.signIn.ask}</Link>
    </p>
  )
}
