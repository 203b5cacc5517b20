import { useSyncExternalStore } from 'react'

export type Theme = 'system' | 'light' | 'dark'

/** Where the choice is kept; `public/first-paint.js` reads it before the page is drawn. */
export const themeKey = 'portico.theme'

const listeners = new Set<() => void>()

const read = (): Theme => {
  const forced = document.documentElement.dataset['theme']
  return forced === 'light' || forced === 'dark' ? forced : 'system'
}

const apply = (theme: Theme) => {
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
  for (const listener of listeners) listener()
}

const followOtherTabs = (event: StorageEvent) => {
  if (event.key === themeKey) apply(event.newValue === 'light' || event.newValue === 'dark' ? event.newValue : 'system')
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) addEventListener('storage', followOtherTabs)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) removeEventListener('storage', followOtherTabs)
  }
}

/** The colour scheme in force and the way to change it, for this and every later visit. */
export function useTheme(): [theme: Theme, setTheme: (theme: Theme) => void] {
  const theme = useSyncExternalStore(subscribe, read)
  const setTheme = (chosen: Theme) => {
    try {
      localStorage.setItem(themeKey, chosen)
    } catch {
      // Storage is refused: the choice lasts for this page.
    }
    apply(chosen)
  }
  return [theme, setTheme]
}
