import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { ErrorBoundary } from '#ui/error-boundary.tsx'
import { SkeletonShape } from '#ui/skeleton.tsx'
import type { OtherWay } from './door-ways.ts'
import css from './front-door.module.css'
import type { DoorStep } from './use-step.ts'
import { usePart } from '#messages/use-part.ts'

interface OtherWaysProps {
  ways: readonly OtherWay[]
  door: DoorStep
}

const loadButtons = () => import('./ways/way-buttons.tsx')

/** The ways in beside address and password; their room is kept from the first draw on. */
export function OtherWays(props: OtherWaysProps) {
  return (
    <ErrorBoundary fallback={drawMissing}>
      <Fetched {...props} />
    </ErrorBoundary>
  )
}

function Fetched({ ways, door }: OtherWaysProps) {
  const part = usePart(loadButtons, 'ways')
  if (part) return <part.WayButtons ways={ways} door={door} />
  return (
    <div className={css.ways} aria-hidden>
      {ways.map((_way, index) => (
        <SkeletonShape key={index} height="40px" />
      ))}
    </div>
  )
}

const drawMissing = () => <Missing />

function Missing() {
  const { ui } = useMessages()
  return (
    <Banner tone="warning" title={ui.loadFailedTitle} action={<Button onClick={() => location.reload()}>{ui.reload}</Button>}>
      {ui.loadFailedHint}
    </Banner>
  )
}
