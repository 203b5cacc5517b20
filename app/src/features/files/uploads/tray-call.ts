/** Tells the frame that there are uploads to show, so that it fetches the tray then and not before. */
let isCalled = false
const listeners = new Set<() => void>()

export function callForTray(): void {
  if (isCalled) return
  isCalled = true
  for (const listener of listeners) listener()
}

export const isTrayCalled = (): boolean => isCalled

export function subscribeToTray(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
