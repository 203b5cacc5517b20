import type { ReactNode } from 'react'
import { ListBox as AriaListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { AriaProvider } from './aria-provider.tsx'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import css from './list-box.module.css'

export interface ListOption {
  id: string
  label: string
  /** Muted, at the end of the line or below it. */
  hint?: string | undefined
  icon?: IconName | undefined
  disabled?: boolean | undefined
}

export interface ListBoxProps {
  label: string
  options: readonly ListOption[]
  /** The chosen ids. */
  value: readonly string[]
  onChange: (value: string[]) => void
  /** Several may be chosen. */
  multiple?: boolean | undefined
  /** What stands there when there are none. */
  empty?: ReactNode
}

/** A list to choose from, always open. */
export function ListBox({ label, options, value, onChange, multiple, empty }: ListBoxProps) {
  return (
    <AriaProvider>
      <AriaListBox
        className={classNames(css.list)}
        aria-label={label}
        items={options}
        selectionMode={multiple ? 'multiple' : 'single'}
        selectedKeys={value}
        onSelectionChange={(keys) => onChange(keys === 'all' ? options.map(({ id }) => id) : [...keys].map(String))}
        renderEmptyState={() => <div className={css.empty}>{empty}</div>}
      >
        {(option) => <Option option={option} />}
      </AriaListBox>
    </AriaProvider>
  )
}

/** One line of a list box or a combo box. */
export function Option({ option }: { option: ListOption }) {
  return (
    <ListBoxItem id={option.id} textValue={option.label} className={classNames(css.option)} isDisabled={option.disabled ?? false}>
      {({ isSelected }) => (
        <>
          {option.icon && <Icon name={option.icon} className={css.icon} />}
          <span className={css.label}>{option.label}</span>
          {option.hint && <span className={css.hint}>{option.hint}</span>}
          {isSelected && <Icon name="check" size={14} className={css.check} />}
        </>
      )}
    </ListBoxItem>
  )
}
