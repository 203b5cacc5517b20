import type { AppError } from '#api/app-error.ts'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { useProjects } from '#projects/projects.tsx'
import { isSignedIn } from '#session/session-state.ts'
import { useProject, useSession } from '#session/session.tsx'
import { Button, buttonClass, ButtonLink } from '#ui/button.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { DoorLayout, DoorStack } from '#ui/door-layout.tsx'
import { TechnicalDetails } from '#ui/failure.tsx'
import css from './consent.module.css'
import type { Fault } from './use-consent.ts'

/** A request that cannot be looked at or answered: why, and the way on. */
export function ConsentFailed({ fault, site }: { fault: Fault; site?: string | undefined }) {
  const { consent: words } = useMessages()
  const { name } = useProject()
  const { projects } = useProjects()
  const session = useSession()
  const { title, lead } = words.failures[fault]
  const email = isSignedIn(session) ? session.user.email : undefined
  // A request names no project: with several, another one may be meant.
  const mayBeElsewhere = projects.length > 1 && (fault === 'gone' || fault === 'off')
  return (
    <DoorLayout brand={name} title={title} lead={lead}>
      <DocumentTitle>{title}</DocumentTitle>
      <DoorStack>
        {fault === 'gone' && email && <p className={css.lead}>{words.signedInAs(email)}</p>}
        {mayBeElsewhere && <p className={css.lead}>{words.otherProject}</p>}
        {mayBeElsewhere && (
          <ButtonLink href="/connect" size="door" wide>
            {words.chooseProject}
          </ButtonLink>
        )}
        {site && (
          <a href={site} rel="noreferrer" className={buttonClass({ variant: 'primary', size: 'door', wide: true })}>
            {words.backTo(new URL(site).host)}
          </a>
        )}
        <ButtonLink href="/" variant={site ? 'secondary' : 'primary'} size="door" wide>
          {words.home}
        </ButtonLink>
      </DoorStack>
    </DoorLayout>
  )
}

/** The project gave no answer, or one that says nothing of the request: it is asked again. */
export function ConsentUnknown({ error, onRetry }: { error: AppError; onRetry: () => void }) {
  const { errors, ui } = useMessages()
  const { name } = useProject()
  const { title, whatToDo, technical } = explain(error, errors)
  return (
    <DoorLayout brand={name} title={title} lead={whatToDo}>
      <DocumentTitle>{title}</DocumentTitle>
      <DoorStack>
        <Button variant="primary" size="door" wide icon="refresh" onClick={onRetry}>
          {ui.retry}
        </Button>
        {technical !== '' && <TechnicalDetails text={technical} />}
      </DoorStack>
    </DoorLayout>
  )
}
