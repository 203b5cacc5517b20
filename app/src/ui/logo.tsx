import css from './logo.module.css'
import { useUi } from './ui-provider.tsx'

/** The mark: a pediment over three columns, in the colour of the text around it. */
export function Logo({ size = 20 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 20 20" fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" strokeLinejoin="round" aria-hidden>
      <path d="M2.5 7.25 10 2.5l7.5 4.75zM5 10.25v4.5m5-4.5v4.5m5-4.5v4.5M2.5 17.5h15" />
    </svg>
  )
}

/** The mark and a name beside it: the operator's, the project's, or ours. */
export function Wordmark({ name, size = 20 }: { name: string; size?: number }) {
  const { brand } = useUi()
  if (!brand?.logo) {
    return (
      <span className={css.wordmark}>
        <span className={css.mark}>
          <Logo size={size} />
        </span>
        {name}
      </span>
    )
  }
  const alt = brand.logoOnly ? name : ''
  return (
    <span className={css.wordmark}>
      <img src={brand.logo} alt={alt} className={brand.logoDark ? css.onLight : css.logo} />
      {brand.logoDark && <img src={brand.logoDark} alt={alt} className={css.onDark} />}
      {!brand.logoOnly && name}
    </span>
  )
}
