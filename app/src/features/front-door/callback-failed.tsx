import { useLocation } from 'wouter'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import type { CallbackState, LinkFailure } from '#session/callback.ts'
import type { PendingEntry, Way } from '#session/pending-entry.ts'
import { withReturn } from '#session/redirects.ts'
import { useSession } from '#session/session.tsx'
import { isSignedIn } from '#session/session-state.ts'
import { Button, ButtonLink } from '#ui/button.tsx'
import { Banner } from '#ui/banner.tsx'
import { TechnicalDetails } from '#ui/failure.tsx'
import { DoorPage } from './door-page.tsx'
import { useRefusals } from './use-refusals.ts'

interface CallbackFailedProps {
  failure: Extract<CallbackState, { step: 'failed' }>
  retrying: boolean
  onRetry: () => void
}

/** The page where the code of each mail is entered, and a new one asked for. */
const pageOf: Partial<Record<Way, string>> = { signup: '/sign-up', recovery: '/forgot-password', email: '/sign-in' }

/** What can still help: the same link again, its code, a new mail, or the sign-in page. */
function nextStepsOf(why: LinkFailure, pending: PendingEntry | undefined) {
  const page = pending && pageOf[pending.way]
  const mayEnterCode = why === 'other-browser' || why === 'spent' || why === 'too-late'
  return { retry: why === 'offline', codePage: mayEnterCode ? page : undefined }
}

/** A link that did not let the person in: why, and each way on. */
export function CallbackFailed({ failure, retrying, onRetry }: CallbackFailedProps) {
  const { frontDoor, arrivals: words, errors } = useMessages()
  useRefusals()
  const session = useSession()
  const [, navigate] = useLocation()
  const { why, error, pending } = failure
  const known = why === 'refused' ? undefined : words.callback.failures[why]
  const explained = explain(error, errors)
  const { retry, codePage } = nextStepsOf(why, pending)
  const isIn = isSignedIn(session)
  const email = isIn ? session.user.email : undefined
  const lead = leadOf()
  function leadOf() {
    if (why === 'spent' && email) return words.callback.spentSignedIn(email)
    if (why === 'other-browser' && !codePage) return words.callback.otherBrowserOnly
    return known?.lead ?? explained.whatToDo
  }
  const enterCode = () => codePage && navigate(`${codePage}?step=code`, { state: { email: pending?.email } })
  // The one first action: what most likely ends well.
  const first = retry ? 'retry' : codePage ? 'code' : 'on'

  return (
    <DoorPage title={known?.title ?? explained.title} lead={lead}>
      {email && why !== 'spent' && <Banner role="none">{words.callback.alreadyIn(email)}</Banner>}
      {retry && (
        <Button variant="primary" size="door" wide pending={retrying} onClick={onRetry}>
          {frontDoor.tryAgain}
        </Button>
      )}
      {codePage && (
        <Button variant={first === 'code' ? 'primary' : 'secondary'} size="door" wide onClick={enterCode}>
          {words.callback.enterCode}
        </Button>
      )}
      <ButtonLink variant={first === 'on' ? 'primary' : 'secondary'} size="door" wide href={isIn ? (pending?.to ?? '/') : withReturn('/sign-in', pending?.to ?? '/')}>
        {isIn ? words.callback.toStart : words.callback.signIn}
      </ButtonLink>
      {error.message !== '' && why !== 'nothing' && <TechnicalDetails text={explained.technical} />}
    </DoorPage>
  )
}
