import type { ComponentProps, MouseEvent, ReactNode } from 'react'
import { Link as RouterLink } from 'wouter'
import css from './button.module.css'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import { Spinner } from './spinner.tsx'

export interface ButtonLook {
  /** `secondary` by default; at most one `primary` on a screen. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | undefined
  /** 40 px at the `door`, 32 px `inside` (default). */
  size?: 'door' | 'inside' | undefined
  icon?: IconName | undefined
  iconAfter?: IconName | undefined
  /** Takes the full width. */
  wide?: boolean | undefined
}

export interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  /** Shows a spinner in place of the label, keeps width and focus, and ignores presses. */
  pending?: boolean | undefined
}

/** The one button. `type` is `button` unless said otherwise. */
export function Button({ variant, size, icon, iconAfter, wide, pending, onClick, children, className, ...rest }: ButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    if (pending) event.preventDefault()
    else onClick?.(event)
  }
  return (
    <button
      type="button"
      {...rest}
      className={classNames(buttonClass({ variant, size, wide }), className)}
      aria-busy={pending || undefined}
      aria-disabled={pending || rest['aria-disabled'] || undefined}
      onClick={press}
    >
      <Content icon={icon} iconAfter={iconAfter} size={size} pending={pending}>
        {children}
      </Content>
    </button>
  )
}

/** A link that looks like a button: for going somewhere. */
export function ButtonLink({ variant, size, icon, iconAfter, wide, children, className, href, ...rest }: ButtonLook & ComponentProps<'a'> & { href: string }) {
  return (
    <RouterLink {...rest} href={href} className={classNames(buttonClass({ variant, size, wide }), className)}>
      <Content icon={icon} iconAfter={iconAfter} size={size}>
        {children}
      </Content>
    </RouterLink>
  )
}

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  /** Its name, read out and shown on hover. */
  label: string
  icon: IconName
  variant?: 'secondary' | 'quiet' | undefined
  size?: 'small' | 'inside' | 'door' | undefined
  pending?: boolean | undefined
}

/** A square button with a drawing; quiet by default. */
export function IconButton({ label, icon, variant = 'quiet', size = 'inside', pending, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      {...rest}
      aria-busy={pending || undefined}
      className={classNames(css.button, css[variant], css[size], css.square, className)}
    >
      {pending ? <Spinner /> : <Icon name={icon} size={size === 'small' ? 14 : 16} />}
    </button>
  )
}

/** The class names of a button, for parts that bring their own element. */
export const buttonClass = ({ variant = 'secondary', size = 'inside', wide }: ButtonLook): string =>
  classNames(css.button, css[variant], css[size], wide && css.wide)

function Content({ icon, iconAfter, size, pending, children }: Pick<ButtonProps, 'icon' | 'iconAfter' | 'size' | 'pending'> & { children: ReactNode }) {
  const iconSize = size === 'door' ? 18 : 16
  return (
    <>
      <span className={classNames(css.content, pending && css.waiting)}>
        {icon && <Icon name={icon} size={iconSize} />}
        {children}
        {iconAfter && <Icon name={iconAfter} size={iconSize} />}
      </span>
      {pending && (
        <span className={css.spinner}>
          <Spinner size={iconSize} />
        </span>
      )}
    </>
  )
}
