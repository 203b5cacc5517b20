import { useState } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Enrol } from './enrol.tsx'
import type { FactorKind } from './factor-list.ts'

interface EnrolDialogProps {
  kind: FactorKind
  onDone: () => void
  onClose: () => void
}

/** Sets up a factor in front of the page. Codes that are shown once are not closed away by a stray press. */
export function EnrolDialog({ kind, onDone, onClose }: EnrolDialogProps) {
  const { factors: words } = useMessages()
  const [showsCodes, setShowsCodes] = useState(false)
  const [asking, setAsking] = useState(false)
  return (
    <>
      <Dialog open onClose={() => (showsCodes ? setAsking(true) : onClose())} title={showsCodes ? words.codes.heading : words.enrol.title[kind]} size="small">
        <Enrol kind={kind} size="inside" onCodes={() => setShowsCodes(true)} onDone={onDone} />
      </Dialog>
      <LeaveCodes open={asking} onStay={() => setAsking(false)} onLeave={onDone} />
    </>
  )
}

/** Asks before codes are closed unsaved. */
export function LeaveCodes({ open, onStay, onLeave }: { open: boolean; onStay: () => void; onLeave: () => void }) {
  const { codes: words } = useMessages().factors
  return (
    <ConfirmDialog open={open} onClose={onStay} title={words.closeTitle} confirmLabel={words.close} onConfirm={onLeave}>
      {words.closeBody}
    </ConfirmDialog>
  )
}
