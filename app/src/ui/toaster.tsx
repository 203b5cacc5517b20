import { useEffect, useState, useSyncExternalStore } from 'react'
import { Button, IconButton } from './button.tsx'
import { Icon } from './icon.tsx'
import css from './toaster.module.css'
import type { Toast, ToastOptions } from './toast-store.ts'
import { useUi } from './ui-provider.tsx'

/** Shows a toast: only for what has no place on the screen any more. Answers the way to close it. */
export function useToast(): (options: ToastOptions) => () => void {
  return useUi().toasts.show
}

/** The region the toasts appear in; stands once, at the end of the page. */
export function Toaster() {
  const { toasts, words } = useUi()
  const list = useSyncExternalStore(toasts.subscribe, toasts.list)
  return (
    <section className={css.region} aria-label={words.notifications} aria-live="polite" aria-relevant="additions">
      {list.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onClose={() => toasts.close(toast.id)} />
      ))}
    </section>
  )
}

function ToastCard({ toast, onClose }: { toast: Toast; onClose: () => void }) {
  const { words } = useUi()
  const [held, setHeld] = useState(false)
  const lifetimeMs = toast.lifetimeMs ?? (toast.action ? 10_000 : 6_000)

  useEffect(() => {
    if (held || lifetimeMs === 0) return
    const timer = setTimeout(onClose, lifetimeMs)
    return () => clearTimeout(timer)
    // A new `onClose` of each draw must not start the time again.
    // oxlint-disable-next-line react/exhaustive-deps -- see above
  }, [held, lifetimeMs])

  const act = () => {
    toast.action?.onPress()
    onClose()
  }
  return (
    <div
      className={css.toast}
      data-tone={toast.tone}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {toast.tone && toast.tone !== 'neutral' && <Icon name={toast.tone} className={css.icon} />}
      <p className={css.text}>{toast.text}</p>
      {toast.action && (
        <Button variant="quiet" className={css.action} onClick={act}>
          {toast.action.label}
        </Button>
      )}
      <IconButton icon="close" size="small" label={words.close} onClick={onClose} />
    </div>
  )
}
