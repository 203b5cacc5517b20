import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { Button } from '#ui/button.tsx'
import { DoorDivider } from '#ui/door-layout.tsx'
import { ErrorBoundary } from '#ui/error-boundary.tsx'
import { SkeletonShape } from '#ui/skeleton.tsx'
import type { OtherWay } from './door-ways.ts'
import css from './front-door.module.css'
import type { DoorStep } from './use-step.ts'
import { usePart } from '#messages/use-part.ts'

interface OtherWaysProps {
  ways: readonly OtherWay[]
  door: DoorStep
  /** A line parts them from the address above. */
  isDivided: boolean
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

function Fetched(props: OtherWaysProps) {
  const part = usePart(loadButtons, 'ways')
  if (part) return <part.WayButtons {...props} />
  // Many stand two in a row, and wallets have to be found first.
  const providers = props.ways.filter(({ kind }) => kind === 'provider').length
  const others = props.ways.filter(({ kind }) => kind !== 'provider' && kind !== 'wallet').length
  const rows = Math.min(7, others + (providers > 3 ? Math.ceil(providers / 2) : providers))
  return (
    rows > 0 && (
      <>
        {props.isDivided && <Divider />}
        <div className={css.ways} aria-hidden>
          {Array.from({ length: rows }, (_, index) => (
            <SkeletonShape key={index} height="40px" />
          ))}
        </div>
      </>
    )
  )
}

function Divider() {
  const { frontDoor: words } = useMessages()
  return <DoorDivider>{words.or}</DoorDivider>
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
