import { FieldError } from 'react-aria-components/FieldError'
import { Text } from 'react-aria-components/Text'
import { classNames } from './class-names.ts'
import css from './field.module.css'
import type { FieldProps } from './field.tsx'
import { Icon } from './icon.tsx'

/** Hint or error below a field made with react-aria, joined to it by its own context. */
export function AriaNote({ hint, error }: Pick<FieldProps, 'hint' | 'error'>) {
  if (error) {
    return (
      <FieldError className={classNames(css.error)}>
        <Icon name="danger" size={14} />
        <span>{error}</span>
      </FieldError>
    )
  }
  return hint ? (
    <Text slot="description" className={classNames(css.hint)}>
      {hint}
    </Text>
  ) : null
}
