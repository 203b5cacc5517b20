import { useRef } from 'react'
import { MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { classNames } from '#ui/class-names.ts'
import { MenuList, type MenuGroup } from '#ui/menu.tsx'
import popover from '#ui/popover.module.css'
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
    <MenuTrigger isOpen onOpenChange={(isOpen) => void (!isOpen && onClose())}>
      <span ref={anchor} className={css.anchor} style={{ left: at.x, top: at.y }} />
      <Popover triggerRef={anchor} className={classNames(popover.popover)} placement="bottom start" offset={2}>
        <MenuList label={label} groups={groups} />
      </Popover>
    </MenuTrigger>
  )
}
