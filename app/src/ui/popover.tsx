import { cloneElement, lazy, useRef, useState, type ComponentProps, type ReactElement } from 'react'
import { LateOverlay } from './late.tsx'
import type { PopoverContent, PopoverPlacement } from './popover-surface.tsx'

/** A button that opens something beside itself. */
export type TriggerElement = ReactElement<ComponentProps<'button'>>

export interface PopoverProps {
  /** The button that opens it: a `Button` or `IconButton`, without keys and pointer of its own. */
  trigger: TriggerElement
  /** Its name, read out when it opens. */
  label: string
  placement?: PopoverPlacement
  /** Controlled, when the place must open or close it itself. */
  open?: boolean | undefined
  onOpenChange?: ((open: boolean) => void) | undefined
  children: PopoverContent
}

const loadSurface = () => import('./popover-surface.tsx')
const PopoverSurface = lazy(async () => ({ default: (await loadSurface()).PopoverSurface }))
const fetchSurface = () => void loadSurface().catch(() => {})

/**
 * A small surface beside its button. Closes on Escape and on a press outside, and gives the focus back. What it takes is
 * fetched when pointer or focus reach the button.
 */
export function Popover({ trigger, label, placement = 'bottom start', open, onOpenChange, children }: PopoverProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [own, setOwn] = useState(false)
  const isOpen = open ?? own
  const [isMade, setMade] = useState(isOpen)
  if (isOpen && !isMade) setMade(true)
  const change = (next: boolean) => {
    // Safari does not focus what is pressed; it is where the focus returns to.
    if (next) button.current?.focus({ preventScroll: true })
    setOwn(next)
    onOpenChange?.(next)
  }
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        'aria-expanded': isOpen,
        onPointerEnter: fetchSurface,
        onFocus: fetchSurface,
        onClick: () => change(!isOpen),
        // A click made of a key is taken for a screen reader's, and what lies around has keys of its own.
        onKeyDown: (event) => {
          if ((event.key !== 'Enter' && event.key !== ' ') || event.repeat) return
          event.preventDefault()
          event.stopPropagation()
          change(!isOpen)
        },
      })}
      {isMade && (
        <LateOverlay onClose={() => change(false)} onGone={() => setMade(false)}>
          <PopoverSurface triggerRef={button} isOpen={isOpen} onOpenChange={change} {...{ label, placement }}>
            {children}
          </PopoverSurface>
        </LateOverlay>
      )}
    </>
  )
}
