import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { ConfirmDialogProps } from './confirm-dialog.tsx'
import { useInside } from './inside-provider.tsx'
import type { SheetProps } from './sheet.tsx'

const Sheet = lazy(async () => ({ default: (await import('./sheet.tsx')).Sheet }))
const ConfirmDialog = lazy(async () => ({ default: (await import('./confirm-dialog.tsx')).ConfirmDialog }))

/** Around something that is fetched when it is opened. Where its files are gone it is closed, `onGone`, and the screen below stays. */
export function LateOverlay({ onClose, onGone, children }: { onClose: () => void; onGone: () => void; children: ReactNode }) {
  const { boundary: Boundary } = useInside()
  const giveUp = () => {
    onClose()
    onGone()
  }
  return (
    <Boundary onClose={giveUp}>
      <Suspense>{children}</Suspense>
    </Boundary>
  )
}

/** A `Sheet` that is fetched when it is first opened. */
export function LateSheet(props: SheetProps) {
  const late = useLate(props)
  return late.isMade && <LateOverlay {...late.ways}><Sheet {...props} /></LateOverlay>
}

/** A `ConfirmDialog` that is fetched when it is first opened. */
export function LateConfirmDialog(props: ConfirmDialogProps) {
  const late = useLate(props)
  return late.isMade && <LateOverlay {...late.ways}><ConfirmDialog {...props} /></LateOverlay>
}

// Once made it stays: it has to be there to be seen closing.
function useLate({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [isMade, setMade] = useState(open)
  if (open && !isMade) setMade(true)
  return { isMade, ways: { onClose, onGone: () => setMade(false) } }
}
