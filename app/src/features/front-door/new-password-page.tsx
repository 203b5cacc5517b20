import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useLocation } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { explain } from '#api/explain.ts'
import type { User } from '#api/client.ts'
import { unwrap } from '#api/unwrap.ts'
import { useMessages } from '#messages/messages.tsx'
import { useDoorMemory } from '#session/door-memory.ts'
import { home } from '#session/redirects.ts'
import { useClient, useProject, useSession, useSessionStore } from '#session/session.tsx'
import { isSignedIn } from '#session/session-state.ts'
import { usePasswordChange, type PasswordForm } from '#session/use-password-change.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Link } from '#ui/link.tsx'
import { PasswordField } from '#ui/password-field.tsx'
import { TextField } from '#ui/text-field.tsx'
import { DoorPage } from './door-page.tsx'
import { FailureBanner } from './failure-banner.tsx'
import { GivenEmail } from './given-email.tsx'
import { useAttempt } from './use-attempt.ts'
import { usePart } from '#messages/use-part.ts'
import { Waiting } from './waiting.tsx'

/** `/new-password`: after a recovery mail or an invitation. Without a session it explains how to get one. */
export function NewPasswordPage() {
  const session = useSession()
  const { arrivals } = useMessages()

  if (session.step === 'starting') return <Waiting title={arrivals.choosePassword.title} />
  if (!isSignedIn(session)) return <SessionLost />
  return <ChoosePassword user={session.user} />
}

function ChoosePassword({ user }: { user: User }) {
  const store = useSessionStore()
  const { step } = useSession()
  const { pending } = useDoorMemory()
  const [, navigate] = useLocation()
  const { arrivals } = useMessages()
  const [began] = useState(step)
  const project = useProject()
  const isInvited = useIsInvited()
  const leaving = useRef(false)
  const leave = async () => {
    leaving.current = true
    const to = pending.latest()?.to ?? home
    await store.endRecovery()
    pending.forget()
    navigate(to, { replace: true })
  }
  // The password was chosen in another tab: there is nothing left to ask here.
  useEffect(() => {
    if (began === 'recovering' && step === 'signed-in' && !leaving.current) navigate(home, { replace: true })
  }, [began, step, navigate])

  return (
    <DoorPage
      title={isInvited ? arrivals.choosePassword.inviteTitle(project.name) : arrivals.choosePassword.title}
      lead={isInvited ? arrivals.choosePassword.inviteLead : undefined}
      below={
        <Link
          href={home}
          onClick={(event) => {
            event.preventDefault()
            void leave()
          }}
        >
          {arrivals.choosePassword.later}
        </Link>
      }
    >
      <PasswordQuestion user={user} isInvited={isInvited} onDone={() => void leave()} />
    </DoorPage>
  )
}

/** The callback says so beside the entry of the browser's history: it survives a reload. */
function useIsInvited(): boolean {
  const state: unknown = useHistoryState()
  return typeof state === 'object' && state !== null && 'invited' in state && state.invited === true
}

const loadGuidance = () => import('./password-guidance.tsx')

const passwordCodes = new Set(['weak_password', 'same_password'])

function PasswordQuestion({ user, isInvited, onDone }: { user: User; isInvited: boolean; onDone: () => void }) {
  const { frontDoor: words, arrivals, errors } = useMessages()
  const form = usePasswordChange(onDone)
  const { auth } = useClient()
  const guidance = usePart(loadGuidance, 'ways')
  const [name, setName] = useState(() => textOf(user.user_metadata['full_name']))
  const [missing, setMissing] = useState(false)
  const save = useAttempt(async () => {
    const given = name.trim()
    if (isInvited && given !== '') await unwrap(auth.updateUser({ data: { full_name: given } }))
    form.submit()
  })
  const field = useRef<HTMLInputElement>(null)
  const aboutPassword = form.error && passwordCodes.has(form.error.code) ? explain(form.error, errors) : null

  const send = (event: FormEvent) => {
    event.preventDefault()
    setMissing(form.password === '')
    if (form.password === '') field.current?.focus()
    else save.run()
  }

  return (
    <form onSubmit={send} noValidate>
      {user.email && <GivenEmail email={user.email} />}
      {isInvited && <TextField label={arrivals.choosePassword.name} hint={arrivals.choosePassword.nameHint} size="door" name="name" autoComplete="name" optional maxLength={200} autoFocus value={name} onChange={(event) => setName(event.target.value)} />}
      <PasswordField
        ref={field}
        label={words.newPassword}
        size="door"
        name="new-password"
        autoComplete="new-password"
        autoFocus={!isInvited}
        required
        value={form.password}
        hint={isInvited ? words.newPasswordHint : `${words.newPasswordHint} ${arrivals.choosePassword.others}`}
        error={missing ? words.newPasswordMissing : aboutPassword && errors.sentences(aboutPassword.title, aboutPassword.whatToDo)}
        onChange={(event) => {
          setMissing(false)
          form.set('password', event.target.value)
        }}
      />
      {guidance && <guidance.PasswordGuidance password={form.password} known={[user.email ?? '', name]} />}
      <AskedFor form={form} />
      <FailureBanner error={aboutPassword ? null : (form.error ?? save.error)} />
      <Button type="submit" variant="primary" size="door" wide pending={form.pending || save.pending}>
        {isInvited ? arrivals.choosePassword.inviteSubmit : arrivals.choosePassword.submit}
      </Button>
    </form>
  )
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '')

/** What the server wants to see besides, once it has said so. */
function AskedFor({ form }: { form: PasswordForm }) {
  const { arrivals } = useMessages()
  return (
    <>
      {form.needs.current && (
        <PasswordField
          label={arrivals.choosePassword.current}
          size="door"
          autoComplete="current-password"
          autoFocus
          value={form.current}
          onChange={(event) => form.set('current', event.target.value)}
        />
      )}
      {form.needs.code && (
        <TextField
          label={arrivals.choosePassword.code}
          hint={arrivals.choosePassword.codeHint}
          size="door"
          inputMode="numeric"
          autoComplete="one-time-code"
          autoFocus
          value={form.code}
          onChange={(event) => form.set('code', event.target.value.trim())}
        />
      )}
    </>
  )
}

function SessionLost() {
  const { frontDoor: words, arrivals } = useMessages()
  return (
    <DoorPage title={arrivals.choosePassword.lostTitle} lead={arrivals.choosePassword.lostHint}>
      <ButtonLink variant="primary" size="door" wide href="/forgot-password">
        {arrivals.choosePassword.askAgain}
      </ButtonLink>
      <ButtonLink size="door" wide href="/sign-in">
        {words.backToSignIn}
      </ButtonLink>
    </DoorPage>
  )
}
