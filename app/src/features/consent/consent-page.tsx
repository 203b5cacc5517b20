import { useEffect, useState } from 'react'
import { Redirect, useSearch } from 'wouter'
import { useMessages } from '#messages/messages.tsx'
import { signInPath } from '#session/redirects.ts'
import { isSignedIn } from '#session/session-state.ts'
import { useProject, useSession } from '#session/session.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { DoorLayout, DoorStack } from '#ui/door-layout.tsx'
import { Skeleton, SkeletonShape } from '#ui/skeleton.tsx'
import { Asking } from './asking.tsx'
import { ConsentFailed, ConsentUnknown } from './consent-failed.tsx'
import { LeavingPage } from './leaving-page.tsx'
import { useConsent, type Leaving } from './use-consent.ts'

/** `/oauth/consent?authorization_id=…`: an application asks to sign the person in; they allow it or not. */
export function ConsentPage() {
  const session = useSession()
  const id = new URLSearchParams(useSearch()).get('authorization_id') ?? ''
  const [leaving, setLeaving] = useState<Leaving>()

  if (leaving) return <LeavingPage leaving={leaving} />
  if (id === '') return <ConsentFailed fault="missing" />
  if (session.step === 'recovering') return <Redirect to="/new-password" replace />
  if (isSignedIn(session)) return <Request key={id} id={id} onLeave={setLeaving} />
  if (session.step === 'starting') return <Looking />
  return <Redirect to={signInPath(`${location.pathname}${location.search}`)} replace />
}

function Request({ id, onLeave }: { id: string; onLeave: (leaving: Leaving) => void }) {
  const { state, decide, retry } = useConsent(id, onLeave)
  useReturned()
  switch (state.step) {
    case 'looking':
      return <Looking />
    case 'asking':
      return <Asking request={state.request} deciding={state.deciding} error={state.error} onDecide={decide} />
    case 'failed':
      return <ConsentFailed fault={state.fault} site={state.site} />
    case 'unknown':
      return <ConsentUnknown error={state.error} onRetry={retry} />
  }
}

/** A page the browser brings back as it was, out of its memory, may show what has long been answered: it looks again. */
function useReturned() {
  useEffect(() => {
    const look = (event: PageTransitionEvent) => event.persisted && location.reload()
    addEventListener('pageshow', look)
    return () => removeEventListener('pageshow', look)
  }, [])
}

function Looking() {
  const { consent: words } = useMessages()
  const { name } = useProject()
  return (
    <DoorLayout brand={name} title={words.documentTitle}>
      <DocumentTitle>{words.documentTitle}</DocumentTitle>
      <DoorStack>
        <Skeleton label={words.loading}>
          <SkeletonShape width="70%" />
          <SkeletonShape height={64} />
          <SkeletonShape width="85%" />
          <SkeletonShape height={40} />
          <SkeletonShape height={40} />
        </Skeleton>
      </DoorStack>
    </DoorLayout>
  )
}
