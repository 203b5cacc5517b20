import { useMessages } from '#messages/messages.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { DoorLayout } from '#ui/door-layout.tsx'
import { useProjects } from '#projects/projects.tsx'

/** An address nothing stands at. */
export function Screen() {
  const { ui } = useMessages()
  const { current } = useProjects()
  return (
    <DoorLayout brand={current?.name ?? ui.productName} title={ui.notFoundTitle} lead={ui.notFoundHint}>
      <DocumentTitle>{ui.notFoundTitle}</DocumentTitle>
      <ButtonLink href="/" variant="primary" size="door" wide>
        {ui.goHome}
      </ButtonLink>
    </DoorLayout>
  )
}
