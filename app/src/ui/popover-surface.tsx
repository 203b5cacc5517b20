import type { ReactNode, RefObject } from 'react'
import { Popover as AriaPopover, type PopoverProps as AriaPopoverProps } from 'react-aria-components/Popover'
import { AriaProvider } from './aria-provider.tsx'
import { classNames } from './class-names.ts'
import css from './popover.module.css'

export type PopoverPlacement = NonNullable<AriaPopoverProps['placement']>

/** Given as a function, it gets the way to close. */
export type PopoverContent = ReactNode | ((close: () => void) => ReactNode)

export interface PopoverSurfaceProps {
  triggerRef: RefObject<HTMLElement | null>
  isOpen: boolean
  onOpenChange: (open: boolean) => void
  label: string
  placement: PopoverPlacement
  children: PopoverContent
}

/** What a `Popover` shows, beside what opens it. */
export function PopoverSurface({ triggerRef, isOpen, onOpenChange, label, placement, children }: PopoverSurfaceProps) {
  return (
    <AriaProvider>
      <AriaPopover className={classNames(css.popover)} triggerRef={triggerRef} isOpen={isOpen} onOpenChange={onOpenChange} placement={placement} offset={4} aria-label={label}>
        <div className={css.content}>{typeof children === 'function' ? children(() => onOpenChange(false)) : children}</div>
      </AriaPopover>
    </AriaProvider>
  )
}
