import type { ReactNode } from 'react'
import css from './banner.module.css'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'

export interface BannerProps {
  tone?: 'info' | 'success' | 'warning' | 'danger' | undefined
  /** One line that says what happened; the rest stands below. */
  title?: ReactNode
  children?: ReactNode
  /** Buttons or links: what to do about it. */
  action?: ReactNode
  /** Read out as soon as it appears: `alert` at once (danger by default), `status` when the reader pauses; `none` for what was there from the start. */
  role?: 'alert' | 'status' | 'none' | undefined
}

/** A message that belongs to the whole form or screen. */
export function Banner({ tone = 'info', title, children, action, role = tone === 'danger' ? 'alert' : 'status' }: BannerProps) {
  return (
    <div className={classNames(css.banner, css[tone])} role={role === 'none' ? undefined : role}>
      <Icon name={tone} className={css.icon} />
      <div className={css.body}>
        {title && <p className={css.title}>{title}</p>}
        {children && <div className={css.text}>{children}</div>}
        {action && <div className={css.action}>{action}</div>}
      </div>
    </div>
  )
}
