export interface ToastOptions {
  text: string
  tone?: 'neutral' | 'success' | 'warning' | 'danger'
  /** What the person can do about it: open it, or take it back. */
  action?: { label: string; onPress: () => void }
  /** How long it stays when nobody points at it; 0 keeps it until closed. 6000 by default, 10000 with an action. */
  lifetimeMs?: number
}

export interface Toast extends ToastOptions {
  id: number
}

export interface ToastStore {
  list: () => readonly Toast[]
  subscribe: (listener: () => void) => () => void
  /** Shows it and gives the way to close it. */
  show: (options: ToastOptions) => () => void
  close: (id: number) => void
}

/** At most three are shown; the oldest makes room. */
export function createToastStore(): ToastStore {
  let toasts: readonly Toast[] = []
  let next = 1
  const listeners = new Set<() => void>()
  const set = (changed: readonly Toast[]) => {
    toasts = changed
    for (const listener of listeners) listener()
  }
  const close = (id: number) => set(toasts.filter((toast) => toast.id !== id))
  return {
    list: () => toasts,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    show: (options) => {
      const id = next++
      set([...toasts, { ...options, id }].slice(-3))
      return () => close(id)
    },
    close,
  }
}
