import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { usePathname } from 'wouter/use-browser-location'
import { explain } from '#api/explain.ts'
import { listOwnFactors } from '#features/account/factors/factor-list.ts'
import { useOfferedKinds } from '#features/account/factors/use-factors.ts'
import { addPasskey } from '#features/account/passkeys/passkeys.ts'
import { useAccountSource } from '#features/account/queries.ts'
import { useSave } from '#features/account/use-save.ts'
import { useLoadArea, useMessages } from '#messages/messages.tsx'
import { noteNoPasskeys } from '#session/passkey-place.ts'
import { useClient, useProject, useSession } from '#session/session.tsx'
import { isSignedIn, type SessionState } from '#session/session-state.ts'
import { useStepUp } from '#session/step-up.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { createNudgeMemory, type NudgeMemory } from './nudge-memory.ts'
import { isInvited, passkeyOfferQuery } from './nudge-offer.ts'
import css from './nudge.module.css'

type SignedIn = Extract<SessionState, { user: unknown }>
type Invitation = 'passkey' | 'second-step'

/** The way to where a second step is set up. */
const secondStepPlace = '/account/security#two-step'

/**
 * Invites a person who came in by a password, a code or a link to add a passkey; where that cannot be, a second step.
 * A line at the foot of the screen: nothing moves under a pointer when it comes, and it asks for no answer.
 */
export function Nudge() {
  const session = useSession()
  return isSignedIn(session) && isInvited(session.user, session.session.methods) ? <Invited key={session.session.id} session={session} /> : null
}

function Invited({ session }: { session: SignedIn }) {
  const { user, session: { id: sessionId } } = session
  const { id: projectId } = useProject()
  const memory = useMemo(() => createNudgeMemory({ projectId, userId: user.id }, localStorage), [projectId, user.id])
  const [isDue, setDue] = useState(() => memory.isDue(sessionId))
  const [isAdded, setAdded] = useState(false)
  const offered = useInvitation(session, isDue)
  // That there is one now is said in the line that it was added from.
  const invitation = isAdded ? 'passkey' : offered
  const isThere = useWords(invitation !== undefined)
  // There the same is offered in its place.
  const isElsewhere = !usePathname().startsWith('/account/security')
  const isShown = isDue && invitation !== undefined && isThere && isElsewhere
  useEffect(() => {
    if (isShown) memory.noteSeen(sessionId)
  }, [isShown, memory, sessionId])

  if (!isShown) return null
  const leave = (note: (memory: NudgeMemory) => void) => {
    note(memory)
    setDue(false)
  }
  const added = () => {
    memory.noteTaken(sessionId)
    setAdded(true)
  }
  return <Line invitation={invitation} onAdded={added} onLeave={() => leave((kept) => kept.noteTaken(sessionId))} onNo={() => leave((kept) => kept.noteNo())} />
}

/** Which of the two there is reason for; undefined for neither, or while it is not known. */
function useInvitation({ user }: SignedIn, isDue: boolean): Invitation | undefined {
  const source = useAccountSource()
  const kinds = useOfferedKinds()
  const { data: offer } = useQuery({ ...passkeyOfferQuery(source), enabled: isDue, retry: false })
  if (offer === 'add') return 'passkey'
  return offer === 'cannot' && kinds.length > 0 && listOwnFactors(user).length === 0 ? 'second-step' : undefined
}

function useWords(isWanted: boolean): boolean {
  const loadArea = useLoadArea()
  const [isThere, setThere] = useState(false)
  useEffect(() => {
    // Without a network nobody is invited.
    if (isWanted) void Promise.all([loadArea('nudge'), loadArea('refusals').catch(() => {})]).then(() => setThere(true), () => {})
  }, [isWanted, loadArea])
  return isThere
}

interface LineProps {
  invitation: Invitation
  /** A passkey was made. */
  onAdded: () => void
  /** Done, or led to where it can be. */
  onLeave: () => void
  onNo: () => void
}

function Line({ invitation, onAdded, onLeave, onNo }: LineProps) {
  const { nudge: words } = useMessages()
  return (
    <section className={css.line} aria-label={words.label}>
      {invitation === 'passkey' ? (
        <PasskeyInvitation onAdded={onAdded} onLeave={onLeave} onNo={onNo} />
      ) : (
        <>
          <Icon name="shield" className={css.icon} />
          <p className={css.text}>{words.secondStep}</p>
          <div className={css.actions}>
            <ButtonLink href={secondStepPlace} onClick={onLeave}>
              {words.addSecondStep}
            </ButtonLink>
            <Button variant="quiet" onClick={onNo}>
              {words.later}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

function PasskeyInvitation({ onAdded, onLeave, onNo }: Omit<LineProps, 'invitation'>) {
  const { nudge: words, ui } = useMessages()
  const add = useAddPasskey(onAdded)
  const { step } = add.state
  return (
    <>
      <Icon name="fingerprint" className={css.icon} />
      <p className={css.text} role="status">
        {step === 'saved' ? words.passkeyAdded : <Refused state={add.state} />}
      </p>
      <div className={css.actions}>
        {step === 'saved' ? (
          <Button variant="quiet" onClick={onLeave}>
            {ui.close}
          </Button>
        ) : (
          <>
            <Button pending={step === 'saving'} onClick={() => void add.begin()}>
              {words.addPasskey}
            </Button>
            <Button variant="quiet" onClick={onNo}>
              {words.later}
            </Button>
          </>
        )}
      </div>
    </>
  )
}

/** The invitation itself; after a refusal, what was the matter and what helps. */
function Refused({ state }: { state: ReturnType<typeof useAddPasskey>['state'] }) {
  const { nudge: words, errors } = useMessages()
  if (state.step !== 'failed') return words.passkey
  const { title, whatToDo } = explain(state.error, errors)
  return errors.sentences(title, whatToDo)
}

function useAddPasskey(/** A passkey was made. */
  onAdded: () => void) {
  const client = useClient()
  const stepUp = useStepUp()
  const queries = useQueryClient()
  const { scope } = useAccountSource()
  const add = useSave(() => addPasskey(client))
  const begin = async () => {
    if (!(await stepUp('passkeys'))) return
    const error = await add.run()
    // The door need not offer what this place cannot take.
    if (error?.code === 'portico_key_wrong_place') noteNoPasskeys()
    if (error) return
    onAdded()
    for (const part of ['has-passkey', 'activity']) void queries.invalidateQueries({ queryKey: [...scope, part] })
  }
  return { ...add, begin }
}
