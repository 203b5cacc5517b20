import type { ReactNode } from 'react'
import css from './chip.module.css'
import { classNames } from './class-names.ts'
import { tintOf } from './tint.ts'

export interface ChipProps {
  children: ReactNode
  /** The same value has the same tint everywhere; `tint="neutral"` for none. */
  value?: string | undefined
  tone?: 'neutral' | 'info' | 'success' | 'warning' | 'danger' | 'accent' | undefined
}

/** A small label. Its words carry the meaning, the tint only helps to find it again. */
export function Chip({ children, value, tone }: ChipProps) {
  return <span className={classNames(css.chip, tone ? css[tone] : value === undefined ? css.neutral : css[tintOf(value)])}>{children}</span>
}
