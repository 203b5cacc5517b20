import { useRef } from 'react'
import { MenuSurface, type MenuGroup } from '#ui/menu-surface.tsx'
import css from './context-menu.module.css'

export interface ContextMenuProps {
  /** Where the pointer is, in the window. */
  at: { x: number; y: number }
  label: string
  groups: readonly MenuGroup[]
  onClose: () => void
}

/** A menu at the pointer. */
export function ContextMenu({ at, label, groups, onClose }: ContextMenuProps) {
  const anchor = useRef<HTMLSpanElement>(null)
  return (
    <>
      <span ref={anchor} className={css.anchor} style={{ left: at.x, top: at.y }} />
      <MenuSurface triggerRef={anchor} focus="menu" onClose={onClose} label={label} groups={groups} placement="bottom start" />
    </>
  )
}
