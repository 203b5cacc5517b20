import css from './kbd.module.css'

const apple = typeof navigator !== 'undefined' && /mac|iphone|ipad/i.test(navigator.userAgent)
const names: Record<string, string> = apple
  ? { mod: '⌘', shift: '⇧', alt: '⌥', enter: '↵', backspace: '⌫', up: '↑', down: '↓', left: '←', right: '→', esc: 'Esc', space: 'Space' }
  : { mod: 'Ctrl', shift: 'Shift', alt: 'Alt', enter: 'Enter', backspace: '⌫', up: '↑', down: '↓', left: '←', right: '→', esc: 'Esc', space: 'Space' }

/** Keys to press, as this machine names them: `mod+k` is ⌘ K or Ctrl K. */
export function Kbd({ keys }: { keys: string }) {
  return (
    <kbd className={css.keys}>
      {keys.split('+').map((key) => (
        <kbd key={key} className={css.key}>
          {names[key] ?? key.toUpperCase()}
        </kbd>
      ))}
    </kbd>
  )
}
