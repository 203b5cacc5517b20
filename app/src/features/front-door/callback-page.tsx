import { useEffect, useRef, useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import type { AppError } from '#api/app-error.ts'
import type { Messages } from '#messages/languages.ts'
import { useMessages } from '#messages/messages.tsx'
import type { MailLinkType } from '#session/arrival.ts'
import { confirmArrival, openArrival, takeSession, type CallbackState, type FoundSession } from '#session/callback.ts'
import { useDoorMemory } from '#session/door-memory.ts'
import { useConnection, useProject, useSession, useSessionStore } from '#session/session.tsx'
import { isSignedIn } from '#session/session-state.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Banner } from '#ui/banner.tsx'
import { CallbackFailed } from './callback-failed.tsx'
import { DoorPage } from './door-page.tsx'
import { FailureBanner } from './failure-banner.tsx'
import { takeArrival } from './taken-arrival.ts'
import { useAttempt } from './use-attempt.ts'
import { Waiting } from './waiting.tsx'

type Arrived = Pick<FoundSession, 'to' | 'recovery' | 'came'>

/** `/callback`: where links from mails and providers lead. The address is cleaned before anything is drawn. */
export function CallbackPage() {
  const [arrival] = useState(() => takeArrival(window))
  const [state, setState] = useState<CallbackState>({ step: 'working' })
  const store = useSessionStore()
  const session = useSession()
  const connection = useConnection()
  const { pending, lastWay } = useDoorMemory()
  const [, navigate] = useLocation()
  const { arrivals: words } = useMessages()
  const opened = useRef(false)
  const settled = useRef(false)
  const parts = () => ({ connection, pending: pending.latest(), signedIn: isSignedIn(session) ? session.user : undefined })
  const open = useAttempt(async () => setState(await openArrival(parts(), arrival.value)))
  const confirm = useAttempt(async () => setState(await confirmArrival(parts(), arrival.value)))

  // A code may be given to the server once: twice, and its second use would be the failure people see.
  const ready = session.step !== 'starting' && session.step !== 'cookies-blocked'
  useEffect(() => {
    if (!ready || opened.current) return
    opened.current = true
    open.run()
  }, [ready, open])

  const enter = async ({ to, recovery, came }: Arrived) => {
    settled.current = true
    arrival.forget()
    if (recovery) await store.beginRecovery()
    else pending.forget()
    lastWay.confirm()
    await store.settle()
    if (came === 'email_change') return setState({ step: 'done', recovery, to, came })
    navigate(recovery ? '/new-password' : to, { replace: true, state: came === 'invite' ? { invited: true } : null })
  }
  const done = state.step === 'done' ? state : null
  useEffect(() => {
    if (done && !settled.current) void enter(done)
    // oxlint-disable-next-line react/exhaustive-effect-dependencies, react/exhaustive-deps -- once, when done
  }, [done])

  switch (state.step) {
    case 'done':
      if (state.came === 'email_change' && isSignedIn(session)) return <AddressChanged email={session.user.email ?? ''} />
      return <Waiting title={words.callback.working} lead={words.callback.workingLead} />
    case 'working':
      return <Waiting title={words.callback.working} lead={words.callback.workingLead} />
    case 'confirm':
      return <Confirm type={state.type} pending={confirm.pending} onConfirm={() => confirm.run()} />
    case 'confirm-person':
      return <ConfirmPerson email={state.email} pending={confirm.pending} onConfirm={() => confirm.run()} />
    case 'check-person':
      return <CheckPerson email={state.email} found={state.found} onTaken={() => void enter(state.found)} />
    case 'half-way':
      return <HalfWay />
    case 'failed':
      // What came of connecting an account is said where it was begun.
      if (state.pending?.way === 'link' && state.why !== 'offline' && isSignedIn(session)) return <BackRefused to={state.pending.to} error={state.error} />
      return <CallbackFailed failure={state} retrying={open.pending || confirm.pending} onRetry={() => (arrival.value.kind === 'token-hash' ? confirm.run() : open.run())} />
  }
}

function BackRefused({ to, error: { code, message } }: { to: string; error: AppError }) {
  const { pending } = useDoorMemory()
  useEffect(() => pending.forget(), [pending])
  return <Redirect to={to} replace state={{ refused: { code, message } }} />
}

function Confirm({ type, pending, onConfirm }: { type: MailLinkType; pending: boolean; onConfirm: () => void }) {
  const { callback: words } = useMessages().arrivals
  const project = useProject()
  const session = useSession()
  const { title, action } = confirmWords(words, type, project.name)
  return (
    <DoorPage title={title} lead={words.confirmLead}>
      {isSignedIn(session) && session.user.email && <Banner role="none">{words.alreadyIn(session.user.email)}</Banner>}
      <Button variant="primary" size="door" wide pending={pending} onClick={onConfirm}>
        {action}
      </Button>
    </DoorPage>
  )
}

/** What the press does, by the kind of mail it came in. */
function confirmWords(words: Messages['arrivals']['callback'], type: MailLinkType, projectName: string) {
  switch (type) {
    case 'recovery':
      return { title: words.confirmRecoveryTitle, action: words.confirmRecovery }
    case 'invite':
      return { title: words.confirmInviteTitle(projectName), action: words.confirmInvite }
    case 'email_change':
      return { title: words.confirmAddressTitle, action: words.confirmAddress }
    case 'signup':
      return { title: words.confirmAddressTitle, action: words.confirm }
    case 'email':
    case 'magiclink':
      return { title: words.confirmTitle(projectName), action: words.confirm }
  }
}

function ConfirmPerson({ email, pending, onConfirm }: { email: string; pending: boolean; onConfirm: () => void }) {
  const { callback: words } = useMessages().arrivals
  return (
    <DoorPage title={words.personTitle} lead={words.checkLead(email)}>
      <Button variant="primary" size="door" wide pending={pending} onClick={onConfirm}>
        {words.personYes}
      </Button>
      <ButtonLink size="door" wide href="/">
        {words.personNo}
      </ButtonLink>
    </DoorPage>
  )
}

function CheckPerson({ email, found, onTaken }: { email: string; found: FoundSession; onTaken: () => void }) {
  const { callback: words } = useMessages().arrivals
  const connection = useConnection()
  const session = useSession()
  const [, navigate] = useLocation()
  const take = useAttempt(async () => {
    await takeSession(connection, found)
    onTaken()
  })
  const refuse = useAttempt(async () => {
    await found.discard()
    navigate(isSignedIn(session) ? '/' : '/sign-in', { replace: true })
  })
  return (
    <DoorPage title={words.personTitle} lead={words.checkLead(email)}>
      {isSignedIn(session) && session.user.email && session.user.email !== email && <Banner role="none">{words.alreadyIn(session.user.email)}</Banner>}
      <FailureBanner error={take.error} />
      <Button variant="primary" size="door" wide pending={take.pending} onClick={() => take.run()}>
        {words.personYes}
      </Button>
      <Button size="door" wide pending={refuse.pending} onClick={() => refuse.run()}>
        {words.personNo}
      </Button>
    </DoorPage>
  )
}

/** Both of the two mails, or the only one, are answered: the account has its new address. */
function AddressChanged({ email }: { email: string }) {
  const { callback: words } = useMessages().arrivals
  return (
    <DoorPage title={words.addressTitle} lead={words.addressLead(email)}>
      <ButtonLink variant="primary" size="door" wide href="/account">
        {words.toAccount}
      </ButtonLink>
    </DoorPage>
  )
}

function HalfWay() {
  const { callback: words } = useMessages().arrivals
  const session = useSession()
  const isIn = isSignedIn(session)
  return (
    <DoorPage title={words.halfWayTitle} lead={words.halfWayLead}>
      <ButtonLink variant="primary" size="door" wide href={isIn ? '/account' : '/sign-in'}>
        {isIn ? words.toAccount : words.toStart}
      </ButtonLink>
    </DoorPage>
  )
}
