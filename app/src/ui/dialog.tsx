import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { AriaProvider } from './aria-provider.tsx'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './dialog.module.css'
import { useUi } from './ui-provider.tsx'

export interface DialogProps {
  open: boolean
  onClose: () => void
  title: ReactNode
  /** One or two lines below the title. */
  lead?: ReactNode
  children?: ReactNode
  /** Buttons at the end: the first action last. */
  footer?: ReactNode
  /** 400, 560 or 800 px; `medium` by default. */
  size?: 'small' | 'medium' | 'large' | undefined
  /** `alertdialog` for a question that must be answered; it then does not close on a press outside. */
  role?: 'dialog' | 'alertdialog' | undefined
}

/** A question or a task in front of the page; holds the focus and gives it back. */
export function Dialog({ open, onClose, title, lead, children, footer, size = 'medium', role = 'dialog' }: DialogProps) {
  const { words } = useUi()
  return (
    <AriaProvider>
      <ModalOverlay className={classNames(css.overlay)} isOpen={open} onOpenChange={(isOpen) => void (!isOpen && onClose())} isDismissable={role === 'dialog'}>
        <Modal className={classNames(css.modal, css[size])}>
          <AriaDialog className={classNames(css.dialog)} role={role}>
            <header className={css.header}>
              <div className={css.heading}>
                <Heading slot="title" level={2} className={classNames(css.title)}>
                  {title}
                </Heading>
                {lead && <p className={css.lead}>{lead}</p>}
              </div>
              {role === 'dialog' && <IconButton icon="close" label={words.close} onClick={onClose} className={classNames(css.close)} />}
            </header>
            {children && <div className={css.body}>{children}</div>}
            {footer && <footer className={css.footer}>{footer}</footer>}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </AriaProvider>
  )
}
