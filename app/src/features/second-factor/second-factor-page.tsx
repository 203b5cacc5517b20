import { useEffect, useRef, useState, type ComponentType } from 'react'
import { Redirect, useLocation, useSearchParams } from 'wouter'
import type { User } from '#api/client.ts'
import { useLoadArea, useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { safePath, signInPath } from '#session/redirects.ts'
import { useProject, useSession, useSessionStore } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { Challenge, useMethods } from './challenge.tsx'
import { DoorPage } from './door-page.tsx'
import { Refusal } from './refusal.tsx'
import css from './second-factor.module.css'
import { useAttempt } from './use-attempt.ts'

interface SecondFactorPageProps {
  /** Draws the way to set up a factor, for those who must and have none; calls back when it is whole, recovery codes kept. */
  Enrolment: ComponentType<{ onDone: () => void }>
}

/**
 * `/second-factor?next=/data`: asks for the second factor a session lacks, or to set one up where the operator wants it.
 * Whichever tab is asked, all go on once it is shown.
 */
export function SecondFactorPage({ Enrolment }: SecondFactorPageProps) {
  const session = useSession()
  const [parameters] = useSearchParams()
  const next = safePath(parameters.get('next'))
  // The last page of setting up shows codes that are shown once: it stays although the session is whole by then.
  const [enrolling, setEnrolling] = useState(false)
  const loadArea = useLoadArea()
  useEffect(() => void loadArea('refusals').catch(() => {}), [loadArea])
  if (session.step === 'second-factor' && session.need === 'enrolment' && !enrolling) setEnrolling(true)

  if (enrolling && session.step !== 'signed-out') return <Required Enrolment={Enrolment} onDone={() => setEnrolling(false)} />
  switch (session.step) {
    case 'starting':
    case 'cookies-blocked':
      return <Waiting />
    case 'signed-out':
      return <Redirect to={signInPath(next)} replace />
    case 'recovering':
      return <Redirect to="/new-password" replace />
    case 'signed-in':
      return <Enter to={next} />
    case 'second-factor':
      return <Ask user={session.user} next={next} />
  }
}

/** Done here, or in another tab. */
function Enter({ to }: { to: string }) {
  const { pending, lastWay } = useDoorMemory()
  const [, navigate] = useLocation()
  const entered = useRef(false)
  useEffect(() => {
    if (entered.current) return
    entered.current = true
    pending.forget()
    lastWay.confirm()
    navigate(to, { replace: true })
  }, [pending, lastWay, navigate, to])
  return <Waiting />
}

function Waiting() {
  const { secondFactor: words, ui } = useMessages()
  return (
    <DoorPage title={words.title}>
      <div className={css.waiting} role="status" aria-label={ui.loading}>
        <Spinner size={24} />
      </div>
    </DoorPage>
  )
}

function Ask({ user, next }: { user: User; next: string }) {
  const { secondFactor: words } = useMessages()
  const store = useSessionStore()
  const choice = useMethods(user)
  const { methods, chosen } = choice
  return (
    <DoorPage title={words.title} lead={chosen && words.lead[chosen.kind]} below={<Leave user={user} next={next} />}>
      <Challenge user={user} choice={choice} size="door" onDone={() => void store.settle()} />
      <Lost user={user} canUseCodes={chosen?.kind !== 'recovery' && methods.some(({ kind }) => kind === 'recovery')} />
    </DoorPage>
  )
}

/** What is left to do for those who have lost every factor: the codes; and who opens this beside the field for them has lost those too. */
function Lost({ user, canUseCodes }: { user: User; canUseCodes: boolean }) {
  const { secondFactor: words } = useMessages()
  const { brand } = useProject()
  return (
    <details className={css.lost}>
      <summary>{words.lost}</summary>
      <p>{canUseCodes ? words.lostWithCodes : words.lostWithout(user.email || user.phone || '')}</p>
      {brand?.links.help && (
        <p>
          <Link href={brand.links.help}>{words.help}</Link>
        </p>
      )}
    </details>
  )
}

function Required({ Enrolment, onDone }: SecondFactorPageProps & { onDone: () => void }) {
  const { secondFactor: words } = useMessages()
  const session = useSession()
  return (
    <DoorPage title={words.required.title} lead={words.required.lead} below={'user' in session && <Leave user={session.user} next="/" />}>
      <Enrolment onDone={onDone} />
    </DoorPage>
  )
}

/** Whose session it is, and the way out. The place is kept for when the same person comes back; unsaved work stays in this tab. */
function Leave({ user, next }: { user: User; next: string }) {
  const { secondFactor: words } = useMessages()
  const store = useSessionStore()
  const [, navigate] = useLocation()
  const leave = useAttempt(async () => {
    const error = await store.signOut('local')
    if (error) throw error
    navigate(signInPath(next), { replace: true })
  })
  return (
    <div className={css.stack}>
      <p className={css.person}>{words.signedInAs(user.email || user.phone || '')}</p>
      <Refusal error={leave.error} />
      <Button variant="quiet" pending={leave.pending} onClick={() => leave.run()}>
        {words.signOut}
      </Button>
    </div>
  )
}
