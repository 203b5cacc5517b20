import type { ComponentProps } from 'react'
import { Link as RouterLink } from 'wouter'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import css from './link.module.css'

export interface LinkProps extends ComponentProps<'a'> {
  /** A path of the app, or a whole address, which opens in a new tab. */
  href: string
  /** `accent` stands out, `quiet` is muted (both without a line until pointed at), `plain` leaves the looks to the place. */
  variant?: 'accent' | 'quiet' | 'plain' | undefined
}

/** A link in words. */
export function Link({ href, variant = 'accent', className, children, ...rest }: LinkProps) {
  const names = classNames(css[variant], className)
  if (!/^[a-z][a-z0-9+.-]*:/i.test(href)) {
    return (
      <RouterLink {...rest} href={href} className={names}>
        {children}
      </RouterLink>
    )
  }
  const away = href.startsWith('http')
  return (
    <a {...rest} href={href} className={names} {...(away && { target: '_blank', rel: 'noreferrer' })}>
      {children}
      {away && <Icon name="external" size={12} className={css.away} />}
    </a>
  )
}
