import { Redirect } from 'wouter'
import { useMessages } from '#messages/messages.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { DoorLayout } from '#ui/door-layout.tsx'
import { useProjects } from '#projects/projects.tsx'

/** An address nothing stands at. */
export function Screen() {
  const { ui } = useMessages()
  const { current } = useProjects()
  // A project may have chosen another path for its consent page than the one it stands at here.
  const request = new URLSearchParams(location.search).get('authorization_id')
  if (request) return <Redirect to={`/oauth/consent?authorization_id=${encodeURIComponent(request)}`} replace />
  return (
    <DoorLayout brand={current?.name ?? ui.productName} title={ui.notFoundTitle} lead={ui.notFoundHint}>
      <DocumentTitle>{ui.notFoundTitle}</DocumentTitle>
      <ButtonLink href="/" variant="primary" size="door" wide>
        {ui.goHome}
      </ButtonLink>
    </DoorLayout>
  )
}
