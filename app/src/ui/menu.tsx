import { cloneElement, lazy, useRef, useState, type KeyboardEvent } from 'react'
import { LateOverlay } from './late.tsx'
import type { MenuFocus, MenuGroup, MenuPlacement } from './menu-surface.tsx'
import type { TriggerElement } from './popover.tsx'

export type { MenuGroup, MenuItem } from './menu-surface.tsx'

export interface MenuProps {
  /** The button that opens it: a `Button` or `IconButton`, without keys and pointer of its own. */
  trigger: TriggerElement
  /** Its name, read out when it opens. */
  label: string
  groups: readonly MenuGroup[]
  placement?: MenuPlacement
}

const loadSurface = () => import('./menu-surface.tsx')
const MenuSurface = lazy(async () => ({ default: (await loadSurface()).MenuSurface }))
const fetchSurface = () => void loadSurface().catch(() => {})

const firstByKey: Readonly<Record<string, MenuFocus | undefined>> = { Enter: 'first', ' ': 'first', ArrowDown: 'first', ArrowUp: 'last' }

/** A list of actions or choices behind a button: arrows, first letters, Escape. What it takes is fetched when pointer or focus reach the button. */
export function Menu({ trigger, label, groups, placement = 'bottom start' }: MenuProps) {
  const button = useRef<HTMLButtonElement>(null)
  const [focus, setFocus] = useState<MenuFocus>()
  const [isMade, setMade] = useState(false)
  const open = (first: MenuFocus) => {
    // Safari does not focus what is pressed; it is where the focus returns to.
    button.current?.focus({ preventScroll: true })
    setMade(true)
    setFocus(first)
  }
  const press = (event: KeyboardEvent) => {
    const first = firstByKey[event.key]
    if (first === undefined || event.repeat) return
    // What lies around has keys of its own: a grid, a list. And a click made of a key is taken for a screen reader's.
    event.preventDefault()
    event.stopPropagation()
    open(first)
  }
  return (
    <>
      {cloneElement(trigger, {
        ref: button,
        'aria-haspopup': 'menu',
        'aria-expanded': focus !== undefined,
        onPointerEnter: fetchSurface,
        onFocus: fetchSurface,
        onKeyDown: press,
        // Screen readers press without a pointer: they start at the first item.
        onClick: (event) => open(event.detail === 0 ? 'first' : 'menu'),
      })}
      {isMade && (
        <LateOverlay onClose={() => setFocus(undefined)} onGone={() => setMade(false)}>
          <MenuSurface triggerRef={button} focus={focus} onClose={() => setFocus(undefined)} {...{ label, groups, placement }} />
        </LateOverlay>
      )}
    </>
  )
}
