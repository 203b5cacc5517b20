import { useEffect, useRef } from 'react'

/** What each shortcut does: `mod+k`, `?`, or two keys in turn, `g t`. */
export type Shortcuts = Readonly<Record<string, () => void>>

const patienceMs = 1000

/** Listens to the whole page. Keys without a modifier are left to fields, menus and dialogs. */
export function useShortcuts(shortcuts: Shortcuts): void {
  const latest = useRef(shortcuts)
  useEffect(() => {
    latest.current = shortcuts
  })

  useEffect(() => {
    // By when the keys were pressed: a busy page may hear of both much later.
    let before = { key: '', at: -patienceMs }
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.altKey) return
      const mod = event.metaKey || event.ctrlKey
      if (!mod && isTaken(event.target)) return
      const key = event.key.toLowerCase()
      const names = mod ? [`mod+${key}`] : [...(event.timeStamp - before.at < patienceMs ? [`${before.key} ${key}`] : []), key]
      before = { key: mod ? '' : key, at: event.timeStamp }
      const name = names.find((candidate) => candidate in latest.current)
      if (name === undefined) return
      event.preventDefault()
      latest.current[name]?.()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

const isTaken = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable="true"], [role="menu"], [role="listbox"], [role="dialog"], [role="alertdialog"]') !== null
