import { useEffect, useRef } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { useProject, useSessionStore } from '#session/session.tsx'
import { buttonClass } from '#ui/button.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { DoorLayout, DoorStack } from '#ui/door-layout.tsx'
import css from './consent.module.css'
import { readDestination } from './return-address.ts'
import type { Leaving } from './use-consent.ts'

/** The way back to the application. A browser may not open another program by itself, so the link stands there too. */
export function LeavingPage({ leaving }: { leaving: Leaving }) {
  const { consent: words } = useMessages()
  const { name } = useProject()
  const destination = readDestination(leaving.returnTo)
  useDeparture(leaving)
  const isApp = destination?.kind === 'app'
  const said = { known: words.leavingKnown, allowed: words.leavingAllowed, denied: words.leavingDenied }[leaving.outcome]

  return (
    <DoorLayout brand={name} title={words.leavingTitle} lead={said}>
      <DocumentTitle>{words.leavingTitle}</DocumentTitle>
      <DoorStack>
        <p className={css.lead} role="status">
          {isApp || !destination ? words.leavingApp : words.leavingLead(destination.host)}
        </p>
        <a href={leaving.returnTo} className={buttonClass({ variant: isApp ? 'primary' : 'secondary', size: 'door', wide: true })} rel="noreferrer">
          {isApp ? words.openApp : words.goOn}
        </a>
      </DoorStack>
    </DoorLayout>
  )
}

// The page of a request that is answered is no place to come back to: the application's takes its place in the history.
function useDeparture({ returnTo, signsOut }: Leaving) {
  const store = useSessionStore()
  const left = useRef(false)
  useEffect(() => {
    if (left.current) return
    left.current = true
    const go = () => location.replace(returnTo)
    if (signsOut) void store.signOut('local').then(go, go)
    else go()
  }, [store, returnTo, signsOut])
}
