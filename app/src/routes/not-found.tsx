import { useMessages } from '#messages/messages.tsx'
import { ButtonLink } from '#ui/button.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { DoorLayout } from '#ui/door-layout.tsx'
import { useProjects } from '#projects/projects.tsx'

/** An address nothing stands at. */
export function Screen() {
  const { shell } = useMessages()
  const { current } = useProjects()
  return (
    <DoorLayout brand={current?.name ?? shell.productName} title={shell.notFoundTitle} lead={shell.notFoundHint}>
      <DocumentTitle>{shell.notFoundTitle}</DocumentTitle>
      <ButtonLink href="/" variant="primary" size="door" wide>
        {shell.goHome}
      </ButtonLink>
    </DoorLayout>
  )
}
