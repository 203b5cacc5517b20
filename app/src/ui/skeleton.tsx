import type { ReactNode } from 'react'
import css from './skeleton.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface SkeletonProps {
  /** What is awaited, read out: "Loading tickets". */
  label: string
  /** How many lines of text to draw when no shapes are given; 3 by default. */
  lines?: number | undefined
  /** Shapes that match what comes, made of `SkeletonShape`. */
  children?: ReactNode
}

/** The outline of what is to come. It appears after 150 ms, so that quick answers do not flicker. */
export function Skeleton({ label, lines = 3, children }: SkeletonProps) {
  return (
    <div className={css.skeleton} role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
      {children ?? Array.from({ length: lines }, (_, index) => <SkeletonShape key={index} width={index === lines - 1 && lines > 1 ? '60%' : '100%'} />)}
    </div>
  )
}

/** One grey shape. Lengths are CSS lengths; a line of text by default. */
export function SkeletonShape({ width = '100%', height = 12, round }: { width?: string | number; height?: string | number; round?: boolean }) {
  return <span className={css.shape} style={{ width, height, ...(round && { borderRadius: '50%' }) }} />
}
