import type { ComponentProps, KeyboardEvent } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import control from './control.module.css'
import { Icon } from './icon.tsx'
import { Kbd } from './kbd.tsx'
import css from './search-field.module.css'
import { useUi } from './ui-provider.tsx'

export interface SearchFieldProps extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'type' | 'size'> {
  /** What is searched, read out: "Search tickets". Also the placeholder unless one is given. */
  label: string
  value: string
  onChange: (text: string) => void
  /** The shortcut that leads here, shown while it is empty. */
  keys?: string | undefined
}

/** A field to search with; Escape empties it. */
export function SearchField({ label, value, onChange, keys, className, ...rest }: SearchFieldProps) {
  const { words } = useUi()
  const clearOnEscape = (event: KeyboardEvent<HTMLInputElement>) => {
    rest.onKeyDown?.(event)
    if (event.key !== 'Escape' || value === '') return
    event.stopPropagation()
    onChange('')
  }
  return (
    <span className={classNames(css.frame, className)}>
      <Icon name="search" className={css.icon} />
      <input
        placeholder={label}
        autoComplete="off"
        spellCheck={false}
        enterKeyHint="search"
        {...rest}
        type="search"
        aria-label={label}
        className={classNames(control.control, control.inside, css.input)}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={clearOnEscape}
      />
      <span className={css.end}>
        {value !== '' ? <IconButton icon="close" size="small" label={words.clear} onClick={() => onChange('')} /> : keys && <Kbd keys={keys} />}
      </span>
    </span>
  )
}
