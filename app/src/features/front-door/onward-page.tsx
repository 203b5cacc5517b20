import { useEffect, useRef } from 'react'
import { Redirect, useSearchParams } from 'wouter'
import { useMessages } from '#messages/messages.tsx'
import { judgeOnward } from '#session/onward.ts'
import { signInPath } from '#session/redirects.ts'
import { isSignedIn } from '#session/session-state.ts'
import { useProject, useSession } from '#session/session.tsx'
import { buttonClass, ButtonLink } from '#ui/button.tsx'
import { DoorPage } from './door-page.tsx'
import { Waiting } from './waiting.tsx'

/** `/onward?to=…`: takes a signed-in person back to the sibling app that sent them, if the operator has listed it. */
export function OnwardPage() {
  const { onward: words } = useMessages()
  const session = useSession()
  const project = useProject()
  const [parameters] = useSearchParams()
  const onward = judgeOnward(parameters.get('to'), project.redirects ?? [], location.origin)

  if (onward.kind === 'here') return <Redirect to={onward.path} replace />
  if (session.step === 'recovering') return <Redirect to="/new-password" replace />
  if (session.step === 'starting') return <Waiting title={words.going} />
  if (!isSignedIn(session)) return <Redirect to={signInPath(`${location.pathname}${location.search}`)} replace />
  return onward.kind === 'sibling' ? <Going address={onward.address} host={onward.host} /> : <Refused host={onward.host} />
}

function Going({ address, host }: { address: string; host: string }) {
  const { onward: words } = useMessages()
  const gone = useRef(false)
  useEffect(() => {
    if (gone.current) return
    gone.current = true
    location.replace(address)
  }, [address])
  return (
    <DoorPage title={words.going} lead={words.goingLead(host)}>
      <a href={address} className={buttonClass({ variant: 'secondary', size: 'door', wide: true })}>
        {words.goOn}
      </a>
    </DoorPage>
  )
}

function Refused({ host }: { host: string }) {
  const { onward: words } = useMessages()
  return (
    <DoorPage title={words.refusedTitle} lead={words.refusedLead}>
      {host !== '' && <p>{words.refusedHost(host)}</p>}
      <ButtonLink href="/" variant="primary" size="door" wide>
        {words.home}
      </ButtonLink>
    </DoorPage>
  )
}
