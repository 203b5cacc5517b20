import { Fragment, type ReactElement } from 'react'
import { Menu as AriaMenu, MenuItem as AriaMenuItem, MenuSection, MenuTrigger } from 'react-aria-components/Menu'
import { Header } from 'react-aria-components/Header'
import { Popover, type PopoverProps } from 'react-aria-components/Popover'
import { Pressable } from 'react-aria-components/Pressable'
import { Separator } from 'react-aria-components/Separator'
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

export interface MenuProps {
  /** The button that opens it: a `Button` or `IconButton`. */
  trigger: ReactElement<object, string>
  /** Its name, read out when it opens. */
  label: string
  groups: readonly MenuGroup[]
  placement?: PopoverProps['placement']
  onOpenChange?: ((open: boolean) => void) | undefined
}

/** A list of actions or choices behind a button: arrows, first letters, Escape. */
export function Menu({ trigger, label, groups, placement = 'bottom start', onOpenChange }: MenuProps) {
  return (
    <MenuTrigger {...(onOpenChange && { onOpenChange })}>
      <Pressable>{trigger}</Pressable>
      <Popover className={classNames(popover.popover)} placement={placement} offset={4}>
        <MenuList label={label} groups={groups} />
      </Popover>
    </MenuTrigger>
  )
}

/** What stands in a menu, for a place that opens it in its own way. */
export function MenuList({ label, groups }: Pick<MenuProps, 'label' | 'groups'>) {
  const shown = groups.filter(({ items }) => items.length > 0)
  const select = (key: string | number) => {
    for (const { items } of shown) items.find(({ id }) => id === key)?.onSelect?.()
  }
  return (
    <AriaMenu className={classNames(css.menu)} aria-label={label} onAction={select}>
      {shown.map((group, index) => (
        <Fragment key={group.heading ?? index}>
          {index > 0 && <Separator className={classNames(css.line)} />}
          <Group group={group} />
        </Fragment>
      ))}
    </AriaMenu>
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
