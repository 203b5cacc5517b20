import { useEffect, useState, useSyncExternalStore } from 'react'
import type { User } from '#api/client.ts'
import { useLoadArea, useMessages } from '#messages/messages.tsx'
import { useSession, useSessionStore } from '#session/session.tsx'
import { isSignedIn, type SessionState } from '#session/session-state.ts'
import { neededProof, noteProof } from '#session/step-up.ts'
import { stepUpQuestion, subscribeToStepUp, type StepUpQuestion } from '#session/step-up-call.ts'
import { Dialog } from '#ui/dialog.tsx'
import { AgainForms } from './again-forms.tsx'
import { Challenge, useMethods } from './challenge.tsx'
import css from './second-factor.module.css'

type SignedIn = Extract<SessionState, { user: User }>

/** The question before a risky change. The shell places it once somebody asks. */
export function StepUpDialog() {
  const question = useSyncExternalStore(subscribeToStepUp, stepUpQuestion)
  const session = useSession()
  const { loaded, failed } = useWords()

  // Nobody is there to answer any more; and without its words it cannot be asked.
  const isLost = !isSignedIn(session) || failed
  useEffect(() => {
    if (isLost) question?.answer(false)
  }, [isLost, question])

  if (!question || !loaded || !isSignedIn(session)) return null
  return <Ask question={question} session={session} />
}

function useWords(): { loaded: boolean; failed: boolean } {
  const loadArea = useLoadArea()
  const [state, setState] = useState({ loaded: false, failed: false })
  useEffect(() => {
    Promise.all([loadArea('secondFactor'), loadArea('refusals')]).then(
      () => setState({ loaded: true, failed: false }),
      () => setState({ loaded: false, failed: true }),
    )
  }, [loadArea])
  return state
}

function Ask({ question, session }: { question: StepUpQuestion; session: SignedIn }) {
  const { secondFactor: words } = useMessages()
  const store = useSessionStore()
  const done = () => {
    noteProof(session.session.id)
    void store.settle()
    question.answer(true)
  }
  // Shown in another tab meanwhile, or by the link of the mail.
  useEffect(() => {
    if (neededProof(session, Date.now()) === 'none') question.answer(true)
  }, [session, question])

  return (
    <Dialog open onClose={() => question.answer(false)} title={words.stepUp.title} lead={words.stepUp.reasons[question.reason]} size="small">
      {question.proof === 'factor' ? <Factor user={session.user} onDone={done} /> : <AgainForms user={session.user} onDone={done} />}
    </Dialog>
  )
}

function Factor({ user, onDone }: { user: User; onDone: () => void }) {
  const { secondFactor: words } = useMessages()
  const choice = useMethods(user)
  return (
    <div className={css.stack}>
      {choice.chosen && <p className={css.quiet}>{words.lead[choice.chosen.kind]}</p>}
      <Challenge user={user} choice={choice} size="inside" onDone={onDone} />
    </div>
  )
}
