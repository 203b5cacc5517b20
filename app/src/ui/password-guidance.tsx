import { Icon } from './icon.tsx'
import css from './password-guidance.module.css'
import { VisuallyHidden } from './visually-hidden.tsx'

export interface PasswordGuidanceProps {
  /** How hard it is to guess, from 0 to 4, and in words; undefined while nothing is typed. */
  strength: { step: number; text: string } | undefined
  /** What is asked of it; `note` is read out after it: "not met yet". */
  rules: readonly { text: string; isMet: boolean; note: string }[]
}

/** Below a new password: what is asked of it, ticked off while one types, and how hard it is to guess. */
export function PasswordGuidance({ strength, rules }: PasswordGuidanceProps) {
  return (
    <div className={css.guidance}>
      <div className={css.meter} data-strength={strength?.step} aria-hidden>
        {[1, 2, 3, 4].map((step) => (
          <span key={step} data-on={(strength && strength.step >= step) || undefined} />
        ))}
      </div>
      {strength && <p>{strength.text}</p>}
      <ul className={css.rules}>
        {rules.map(({ text, isMet, note }) => (
          <li key={text} data-met={isMet || undefined}>
            <Icon name={isMet ? 'check' : 'info'} size={14} />
            {text}
            <VisuallyHidden>{note}</VisuallyHidden>
          </li>
        ))}
      </ul>
    </div>
  )
}
