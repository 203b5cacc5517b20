import type { ReactNode } from 'react'
import css from './empty-state.module.css'
import { Icon, type IconName } from './icon.tsx'

export interface EmptyStateProps {
  icon?: IconName | undefined
  /** What this place is for. */
  title: ReactNode
  /** Why it may be empty. */
  children?: ReactNode
  /** What to do: buttons or links. */
  action?: ReactNode
}

/** A place with nothing in it that says why, and what to do. */
export function EmptyState({ icon, title, children, action }: EmptyStateProps) {
  return (
    <div className={css.empty}>
      {icon && <Icon name={icon} size={24} className={css.icon} />}
      <p className={css.title}>{title}</p>
      {children && <div className={css.text}>{children}</div>}
      {action && <div className={css.action}>{action}</div>}
    </div>
  )
}
