import { useEffect } from 'react'

// The first screen's own files and rows come before what nobody has opened yet.
const quietMs = 2000

/** Fetches what menus, popovers, dialogs and sheets take once the first screen has had its turn, so that the first one opens at once. */
export function useOverlaysAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => void fetchOverlays(), quietMs)
    return () => clearTimeout(timer)
  }, [])
}

// A failure is told to whoever then opens one.
const fetchOverlays = () => Promise.allSettled([import('./menu-surface.tsx'), import('./popover-surface.tsx'), import('./sheet.tsx'), import('./confirm-dialog.tsx')])
