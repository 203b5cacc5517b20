import { useEffect, useState, type ReactNode } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { useProjects } from '#projects/projects.tsx'
import { Button } from '#ui/button.tsx'
import { DocumentTitle } from '#ui/document-title.tsx'
import { DoorLayout, DoorStack } from '#ui/door-layout.tsx'
import { ErrorBoundary } from '#ui/error-boundary.tsx'
import { Failure, TechnicalDetails } from '#ui/failure.tsx'
import { useToast } from '#ui/toaster.tsx'
import { isMissingFile, renew, type Renewal } from './newer-version.ts'

const look = () => renew({ page: window, fetch: (...call) => fetch(...call) })

/** Why the files are not there, once that is known; an updated app reloads itself meanwhile. */
function useRenewal(): Renewal | undefined {
  const [renewal, setRenewal] = useState<Renewal>()
  useEffect(() => void look().then(setRenewal), [])
  return renewal === 'reloading' ? undefined : renewal
}

function useFailedWords(renewal: Renewal) {
  const { ui } = useMessages()
  return renewal === 'newer' ? { title: ui.updatedTitle, hint: ui.updatedHint, action: ui.reload } : { title: ui.loadFailedTitle, hint: ui.loadFailedHint, action: ui.retry }
}

/**
 * The screen's files could not be fetched: offline, or a newer version has replaced them. A browser remembers a failed
 * file until the page is loaded anew, so that is the way on.
 */
export function LoadFailed({ error }: { error: unknown }) {
  const renewal = useRenewal()
  return renewal && <FailedScreen renewal={renewal} error={error} />
}

function FailedScreen({ renewal, error }: { renewal: Renewal; error: unknown }) {
  const { ui } = useMessages()
  const { current } = useProjects()
  const words = useFailedWords(renewal)
  return (
    <DoorLayout brand={current?.name ?? ui.productName} title={words.title} lead={words.hint}>
      <DocumentTitle>{words.title}</DocumentTitle>
      <DoorStack>
        <Button variant="primary" size="door" wide onClick={() => location.reload()}>
          {words.action}
        </Button>
        <TechnicalDetails text={String(error)} />
      </DoorStack>
    </DoorLayout>
  )
}

/** Keeps a broken part of a screen from taking the page with it; one whose files are gone says so, or reloads the updated app. */
export function ScreenBoundary({ resetKey, children }: { resetKey: string; children: ReactNode }) {
  return (
    <ErrorBoundary resetKey={resetKey} fallback={drawMissing}>
      {children}
    </ErrorBoundary>
  )
}

const drawMissing = (error: unknown) => (isMissingFile(error) ? <PartMissing error={error} /> : undefined)

function PartMissing({ error }: { error: unknown }) {
  const renewal = useRenewal()
  return renewal && <FailedPart renewal={renewal} error={error} />
}

function FailedPart({ renewal, error }: { renewal: Renewal; error: unknown }) {
  const words = useFailedWords(renewal)
  return (
    <Failure title={words.title} technical={String(error)} action={<Button onClick={() => location.reload()}>{words.action}</Button>}>
      {words.hint}
    </Failure>
  )
}

/** For what lies over a screen: when its files are gone it closes with a word, and the screen below stays as it is. */
export function OverlayBoundary({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { errors, ui } = useMessages()
  const toast = useToast()
  const tell = async () => {
    const renewal = await look()
    if (renewal === 'reloading') return
    const text = renewal === 'newer' ? errors.sentences(ui.updatedTitle, ui.updatedHint) : errors.sentences(ui.loadFailedTitle, ui.loadFailedHint)
    toast({ text, tone: 'warning', action: { label: ui.reload, onPress: () => location.reload() } })
    onClose()
  }
  return (
    <ErrorBoundary fallback={drawNothing} onError={() => void tell()}>
      {children}
    </ErrorBoundary>
  )
}

const drawNothing = () => <></>
