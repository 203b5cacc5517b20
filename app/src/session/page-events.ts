/** Calls `look` whenever the page may have missed something: shown again, focused, back online, restored, a cookie or the recovery mark changed. */
export function followPage(page: Window, look: (why: 'seen' | 'changed') => void): () => void {
  const stops: (() => void)[] = []
  const on = (target: EventTarget | undefined, type: string, listener: (event: Event) => void) => {
    target?.addEventListener(type, listener)
    stops.push(() => target?.removeEventListener(type, listener))
  }
  const seen = () => {
    if (page.document.visibilityState === 'visible') look('seen')
  }
  on(page, 'focus', seen)
  on(page.document, 'visibilitychange', seen)
  on(page, 'pageshow', seen)
  on(page, 'online', seen)
  // Not in every browser; where it is missing, focus tells.
  on((page as { cookieStore?: EventTarget }).cookieStore, 'change', () => look('changed'))
  on(page, 'storage', (event) => {
    if ((event as StorageEvent).key?.startsWith('portico.recovering.')) look('changed')
  })
  return () => stops.forEach((stop) => stop())
}
