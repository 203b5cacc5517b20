import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { AriaProvider } from './aria-provider.tsx'
import { classNames } from './class-names.ts'
import css from './sheet.module.css'

export interface SheetProps {
  open: boolean
  onClose: () => void
  /** Its name, read out when it opens. */
  label: string
  /** `end` (default) for a record, `start` for the navigation, `bottom` for choices on a phone. */
  side?: 'start' | 'end' | 'bottom' | undefined
  /** In pixels; 640 by default, 296 at the start. Never wider than the window. */
  width?: number | undefined
  /** Draws its own header, with a way to close. */
  children: ReactNode
}

/** A surface that slides in from an edge over the page; Escape and a press outside close it. */
export function Sheet({ open, onClose, label, side = 'end', width = side === 'start' ? 296 : 640, children }: SheetProps) {
  return (
    <AriaProvider>
      <ModalOverlay className={classNames(css.overlay, side === 'end' && css.thin)} isOpen={open} onOpenChange={(isOpen) => void (!isOpen && onClose())} isDismissable>
        <Modal className={classNames(css.sheet, css[side])} {...(side !== 'bottom' && { style: { width } })}>
          <AriaDialog className={classNames(css.dialog)} aria-label={label}>
            {children}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </AriaProvider>
  )
}
