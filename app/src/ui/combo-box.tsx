import { useMemo, useRef, type Ref } from 'react'
import { Button } from 'react-aria-components/Button'
import { ComboBox as AriaComboBox } from 'react-aria-components/ComboBox'
import { Group } from 'react-aria-components/Group'
import { Input } from 'react-aria-components/Input'
import { Label } from 'react-aria-components/Label'
import { ListBox } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { classNames } from './class-names.ts'
import css from './combo-box.module.css'
import control from './control.module.css'
import { AriaNote } from './aria-note.tsx'
import { AriaProvider } from './aria-provider.tsx'
import field from './field.module.css'
import type { FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'
import list from './list-box.module.css'
import { Option, type ListOption } from './list-box.tsx'
import { usePageInSight } from './page-in-sight.ts'
import popover from './popover.module.css'
import { Spinner } from './spinner.tsx'
import { useUi } from './ui-provider.tsx'

export interface ComboBoxProps extends Omit<FieldProps, 'aside' | 'label'> {
  label: string
  /** What can be chosen: all of it, or with `onSearch` what was found for the text. */
  options: readonly ListOption[]
  /** The chosen id; null for none. */
  value: string | null
  onChange: (value: string | null) => void
  /** The chosen one, when it may be missing among `options`. */
  chosen?: ListOption | undefined
  /** Asked for each text typed, and for '' when the list opens; without it the options are filtered here. */
  onSearch?: ((text: string) => void) | undefined
  loading?: boolean | undefined
  placeholder?: string | undefined
  required?: boolean | undefined
  disabled?: boolean | undefined
  readOnly?: boolean | undefined
  autoFocus?: boolean | undefined
  name?: string | undefined
  onBlur?: (() => void) | undefined
  inputRef?: Ref<HTMLInputElement> | undefined
  /** Can be emptied with a button. */
  clearable?: boolean | undefined
}

/** A field that finds what is typed in a list, here or on the server. */
export function ComboBox(props: ComboBoxProps) {
  const { words } = useUi()
  const { label, labelHidden, optional, hint, error, size = 'inside', value, onChange, onSearch, loading, inputRef, placeholder, autoFocus } = props
  const clearable = props.clearable && value !== null && !props.disabled && !props.readOnly
  const { options, chosen } = useOptions(props)
  const search = (text: string) => {
    if (text !== chosen?.label) onSearch?.(text)
  }
  const frame = useRef<HTMLDivElement>(null)
  const keepInSight = usePageInSight(frame)
  return (
    <AriaProvider>
      <AriaComboBox
        ref={frame}
        className={classNames(field.field)}
        {...(onSearch ? { items: options } : { defaultItems: options })}
        selectedKey={value}
        onSelectionChange={(key) => onChange(key === null ? null : String(key))}
        onInputChange={search}
        onOpenChange={(open) => {
          keepInSight(open)
          if (open) onSearch?.('')
        }}
        menuTrigger="input"
        allowsEmptyCollection
        isInvalid={Boolean(error)}
        isRequired={props.required ?? false}
        isDisabled={props.disabled ?? false}
        isReadOnly={props.readOnly ?? false}
        {...(props.name !== undefined && { name: props.name })}
        {...(props.onBlur && { onBlur: props.onBlur })}
        validationBehavior="aria"
      >
        <Label className={labelHidden ? field.hidden : field.label}>
          {label}
          {optional && <span className={field.optional}> ({words.optional})</span>}
        </Label>
        <Group className={classNames(css.frame)}>
          <Input
            ref={inputRef}
            className={classNames(control.control, control[size], css.input)}
            placeholder={placeholder ?? ''}
            autoFocus={autoFocus ?? false}
          />
          {clearable && (
            <button type="button" className={css.clear} aria-label={words.clear} onClick={() => onChange(null)}>
              <Icon name="close" size={14} />
            </button>
          )}
          <Button className={classNames(css.open)} aria-label={words.showOptions}>
            {loading ? <Spinner size={14} /> : <Icon name="chevron-down" size={14} />}
          </Button>
        </Group>
        <AriaNote hint={hint} error={error} />
        <Choices label={label} empty={loading ? words.loading : words.nothingFound} />
      </AriaComboBox>
    </AriaProvider>
  )
}

function Choices({ label, empty }: { label: string; empty: string }) {
  return (
    <Popover className={classNames(popover.popover, css.popover)} offset={4} maxHeight={320}>
      <section className={css.options} aria-label={label}>
        <ListBox className={classNames(list.list)} renderEmptyState={() => <div className={list.empty}>{empty}</div>}>
          {(option: ListOption) => <Option option={option} />}
        </ListBox>
      </section>
    </Popover>
  )
}

/** The chosen one always stands among the options: without it the field would forget its text. */
function useOptions({ options, value, chosen }: ComboBoxProps) {
  return useMemo(() => {
    const found = options.find(({ id }) => id === value)
    if (found || value === null) return { options, chosen: found }
    const kept = chosen ?? { id: value, label: value }
    return { options: [kept, ...options], chosen: kept }
  }, [options, value, chosen])
}
