import css from './kbd.module.css'
import { useUi } from './ui-provider.tsx'

const apple = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent)
const arrows: Record<string, string> = { backspace: '⌫', up: '↑', down: '↓', left: '←', right: '→' }
const signs: Record<string, string> = apple ? { ...arrows, mod: '⌘', shift: '⇧', alt: '⌥', enter: '↵' } : { ...arrows, alt: 'Alt' }

/** Keys to press, as this machine names them: `mod+k` is ⌘ K or Ctrl K. */
export function Kbd({ keys }: { keys: string }) {
  const printed: Record<string, string> = useUi().words.keys
  return (
    <kbd className={css.keys}>
      {keys.split('+').map((key) => (
        <kbd key={key} className={css.key}>
          {signs[key] ?? printed[key === 'mod' ? 'ctrl' : key] ?? key.toUpperCase()}
        </kbd>
      ))}
    </kbd>
  )
}
