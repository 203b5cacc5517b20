import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import css from './failure.module.css'
import { Icon, type IconName } from './icon.tsx'
import { useUi } from './ui-provider.tsx'

export interface FailureProps {
  /** What happened, in a person's words. */
  title: ReactNode
  /** What to do next. */
  children?: ReactNode
  onRetry?: (() => void) | undefined
  retrying?: boolean | undefined
  /** Further ways on, beside "Try again". */
  action?: ReactNode
  /** Code, request id, the server's words: folded away, one click to copy. */
  technical?: string | undefined
  icon?: IconName | undefined
  /** `place` fills a region and centres itself (default); `line` stands among other things. */
  layout?: 'place' | 'line' | undefined
}

/** Something could not be shown: why, and what to do, where it would have stood. */
export function Failure({ title, children, onRetry, retrying, action, technical, icon = 'danger', layout = 'place' }: FailureProps) {
  const { words } = useUi()
  return (
    <div className={css[layout]} role="alert">
      <Icon name={icon} size={layout === 'place' ? 24 : 16} className={css.icon} />
      <div className={css.body}>
        <p className={css.title}>{title}</p>
        {children && <div className={css.text}>{children}</div>}
        {(onRetry || action) && (
          <div className={css.actions}>
            {onRetry && (
              <Button icon="refresh" onClick={onRetry} pending={retrying}>
                {words.retry}
              </Button>
            )}
            {action}
          </div>
        )}
        {technical && <TechnicalDetails text={technical} />}
      </div>
    </div>
  )
}

/** The server's own words, folded away. */
export function TechnicalDetails({ text }: { text: string }) {
  const { words } = useUi()
  return (
    <details className={css.details}>
      <summary>
        <Icon name="chevron-right" size={12} className={css.arrow} />
        {words.technicalDetails}
      </summary>
      <div className={css.technical}>
        <pre>{text}</pre>
        <CopyButton value={text} compact />
      </div>
    </details>
  )
}
