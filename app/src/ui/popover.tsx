import { use, type ReactElement, type ReactNode } from 'react'
import { DialogTrigger, OverlayTriggerStateContext } from 'react-aria-components/Dialog'
import { Popover as AriaPopover, type PopoverProps as AriaPopoverProps } from 'react-aria-components/Popover'
import { Pressable } from 'react-aria-components/Pressable'
import { classNames } from './class-names.ts'
import css from './popover.module.css'

export interface PopoverProps {
  /** The button that opens it: a `Button` or `IconButton`. */
  trigger: ReactElement<object, string>
  /** Its name, read out when it opens. */
  label: string
  placement?: AriaPopoverProps['placement']
  /** Controlled, when the place must open or close it itself. */
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
  /** Given as a function, it gets the way to close. */
  children: ReactNode | ((close: () => void) => ReactNode)
}

/** A small surface beside its button. Closes on Escape and on a press outside, and gives the focus back. */
export function Popover({ trigger, label, placement = 'bottom start', open, onOpenChange, children }: PopoverProps) {
  return (
    <DialogTrigger {...(open !== undefined && { isOpen: open })} {...(onOpenChange && { onOpenChange })}>
      <Pressable>{trigger}</Pressable>
      <AriaPopover className={classNames(css.popover)} placement={placement} offset={4} aria-label={label}>
        <div className={css.content}>{typeof children === 'function' ? <Closing>{children}</Closing> : children}</div>
      </AriaPopover>
    </DialogTrigger>
  )
}

function Closing({ children }: { children: (close: () => void) => ReactNode }) {
  const state = use(OverlayTriggerStateContext)
  return children(() => state?.close())
}
