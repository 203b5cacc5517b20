import { Fragment, type RefObject } from 'react'
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuSection } from 'react-aria-components/Menu'
import { Header } from 'react-aria-components/Header'
import { Popover, type PopoverProps } from 'react-aria-components/Popover'
import { Separator } from 'react-aria-components/Separator'
import { AriaProvider } from './aria-provider.tsx'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import { Kbd } from './kbd.tsx'
import css from './menu.module.css'
import popover from './popover.module.css'

export interface MenuItem {
  /** Stable within the menu. */
  id: string
  label: string
  icon?: IconName | undefined
  /** A second, muted line. */
  description?: string | undefined
  /** Its shortcut: `mod+k`. */
  keys?: string | undefined
  /** Drawn in the colour of danger; keep it apart, after a line. */
  danger?: boolean | undefined
  disabled?: boolean | undefined
  /** True or false makes it a choice with a mark. */
  checked?: boolean | undefined
  /** Goes there instead of calling `onSelect`. */
  href?: string | undefined
  onSelect?: (() => void) | undefined
}

/** A group of items, set apart by lines, with a heading when it has one. */
export interface MenuGroup {
  heading?: string | undefined
  items: readonly MenuItem[]
}

export type MenuPlacement = NonNullable<PopoverProps['placement']>

/** Where the focus goes as it opens: an item, or the menu (its chosen item, when it has one). */
export type MenuFocus = 'first' | 'last' | 'menu'

export interface MenuSurfaceProps {
  /** What it stands beside. */
  triggerRef: RefObject<HTMLElement | null>
  /** Undefined: closed. */
  focus: MenuFocus | undefined
  onClose: () => void
  label: string
  groups: readonly MenuGroup[]
  placement: MenuPlacement
}

/** What a `Menu` shows; also for a place that opens it in its own way. */
export function MenuSurface({ triggerRef, focus, onClose, label, groups, placement }: MenuSurfaceProps) {
  const shown = groups.filter(({ items }) => items.length > 0)
  const select = (key: string | number) => {
    for (const { items } of shown) items.find(({ id }) => id === key)?.onSelect?.()
  }
  return (
    <AriaProvider>
      <Popover
        className={classNames(popover.popover)}
        trigger="MenuTrigger"
        triggerRef={triggerRef}
        isOpen={focus !== undefined}
        onOpenChange={(isOpen) => void (!isOpen && onClose())}
        placement={placement}
        offset={4}
        aria-label={label}
      >
        <AriaMenu className={classNames(css.menu)} aria-label={label} autoFocus={focus === 'first' || focus === 'last' ? focus : true} onAction={select} onClose={onClose}>
          {shown.map((group, index) => (
            <Fragment key={group.heading ?? index}>
              {index > 0 && <Separator className={classNames(css.line)} />}
              <Group group={group} />
            </Fragment>
          ))}
        </AriaMenu>
      </Popover>
    </AriaProvider>
  )
}

function Group({ group }: { group: MenuGroup }) {
  const items = group.items.map((item) => <Item key={item.id} item={item} />)
  const chosen = group.items.filter(({ checked }) => checked).map(({ id }) => id)
  if (group.items.some(({ checked }) => checked !== undefined)) {
    return (
      <MenuSection selectionMode="single" disallowEmptySelection selectedKeys={chosen} aria-label={group.heading ?? ''}>
        {group.heading && <Header className={classNames(css.heading)}>{group.heading}</Header>}
        {items}
      </MenuSection>
    )
  }
  if (!group.heading) return items
  return (
    <MenuSection>
      <Header className={classNames(css.heading)}>{group.heading}</Header>
      {items}
    </MenuSection>
  )
}

function Item({ item }: { item: MenuItem }) {
  return (
    <AriaMenuItem
      id={item.id}
      textValue={item.label}
      className={classNames(css.item, item.danger && css.danger)}
      isDisabled={item.disabled ?? false}
      {...(item.href !== undefined && { href: item.href })}
    >
      {item.icon && <Icon name={item.icon} className={css.icon} />}
      <span className={css.body}>
        <span>{item.label}</span>
        {item.description && <span className={css.description}>{item.description}</span>}
      </span>
      {item.checked && <Icon name="check" className={css.check} />}
      {item.keys && <Kbd keys={item.keys} />}
    </AriaMenuItem>
  )
}
