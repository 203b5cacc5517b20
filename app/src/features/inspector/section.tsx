import type { ReactNode } from 'react'
import { CopyButton } from '#ui/copy-button.tsx'
import css from './inspector.module.css'

/** One matter, with what it means beside it. */
export function Section({ heading, lead, children }: { heading: string; lead?: string | undefined; children: ReactNode }) {
  return (
    <section className={css.section} aria-label={heading}>
      <div className={css.about}>
        <h2>{heading}</h2>
        {lead && <p>{lead}</p>}
      </div>
      <div className={css.content}>{children}</div>
    </section>
  )
}

export type Fact = readonly [name: string, value: ReactNode]

/** Names and values, one a line; what has no value is left out. */
export function Facts({ facts }: { facts: readonly (Fact | false | undefined)[] }) {
  return (
    <dl className={css.facts}>
      {facts.map((fact) => fact && fact[1] !== '' && fact[1] !== undefined && (
        <div key={fact[0]} style={{ display: 'contents' }}>
          <dt>{fact[0]}</dt>
          <dd>{fact[1]}</dd>
        </div>
      ))}
    </dl>
  )
}

/** An id one may want to take along. */
export function Copyable({ value, label }: { value: string; label: string }) {
  return (
    <span className={css.withCopy}>
      <span className={css.mono}>{value}</span>
      <CopyButton value={value} label={label} compact />
    </span>
  )
}
