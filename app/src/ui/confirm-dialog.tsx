import { useState, type ReactNode } from 'react'
import { Banner } from './banner.tsx'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { useUi } from './ui-provider.tsx'

export interface ConfirmDialogProps {
  open: boolean
  onClose: () => void
  /** The question, with the thing's name: "Delete ticket 4821?" */
  title: ReactNode
  /** What follows from it. */
  children?: ReactNode
  /** The verb and the thing: "Delete ticket". */
  confirmLabel: string
  tone?: 'danger' | 'primary' | undefined
  /** May take time: the button waits for it. The place closes the dialog when it went well. */
  onConfirm: () => void | Promise<unknown>
  /** Why it did not work, shown above the buttons. */
  error?: ReactNode
}

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ open, onClose, title, children, confirmLabel, tone = 'danger', onConfirm, error }: ConfirmDialogProps) {
  const { words } = useUi()
  const [pending, setPending] = useState(false)
  const confirm = async () => {
    setPending(true)
    try {
      await onConfirm()
    } finally {
      setPending(false)
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      lead={children}
      size="small"
      role="alertdialog"
      footer={
        <>
          <Button onClick={onClose} autoFocus>
            {words.cancel}
          </Button>
          <Button variant={tone} pending={pending} onClick={() => void confirm()}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      {error ? <Banner tone="danger">{error}</Banner> : undefined}
    </Dialog>
  )
}
