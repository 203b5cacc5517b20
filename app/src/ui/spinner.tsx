import css from './spinner.module.css'

/** A turning ring that takes the colour of the text around it. The words that say what is awaited stand elsewhere. */
export function Spinner({ size = 16 }: { size?: number }) {
  return (
    <svg className={css.spinner} width={size} height={size} viewBox="0 0 16 16" fill="none" aria-hidden>
      <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeWidth="1.75" opacity="0.25" />
      <path d="M14.25 8A6.25 6.25 0 0 0 8 1.75" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
    </svg>
  )
}
