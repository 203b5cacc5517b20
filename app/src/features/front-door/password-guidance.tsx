import { useMessages } from '#messages/messages.tsx'
import { Icon } from '#ui/icon.tsx'
import { VisuallyHidden } from '#ui/visually-hidden.tsx'
import { useDoor } from './door-ways.ts'
import css from './password-guidance.module.css'
import { hasClass, strengthOf } from './password-strength.ts'

/** Below a new password: what the project asks of it, ticked off while one types, and how hard it is to guess. */
export function PasswordGuidance({ password, known }: { password: string; known: readonly string[] }) {
  const { ways } = useMessages()
  const { password: rules } = useDoor()
  const words = ways.password
  const strength = strengthOf(password, known)
  const list = [
    { text: words.atLeast(rules.minLength), isMet: [...password].length >= rules.minLength },
    ...rules.classes.map((kind) => ({ text: words.classes[kind], isMet: hasClass(password, kind) })),
  ]
  return (
    <div className={css.guidance}>
      <div className={css.meter} data-strength={password === '' ? undefined : strength} aria-hidden>
        {[1, 2, 3, 4].map((step) => (
          <span key={step} data-on={(password !== '' && strength >= step) || undefined} />
        ))}
      </div>
      {password !== '' && (
        <p className={css.word}>
          {words.strength}: {words.strengths[strength]}
        </p>
      )}
      <ul className={css.rules}>
        {list.map(({ text, isMet }) => (
          <li key={text} data-met={isMet || undefined}>
            <Icon name={isMet ? 'check' : 'info'} size={14} />
            {text}
            <VisuallyHidden>{isMet ? words.met : words.notMet}</VisuallyHidden>
          </li>
        ))}
      </ul>
    </div>
  )
}
