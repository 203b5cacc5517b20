import { useCallback, useMemo } from 'react'
import { navigate, useSearch } from 'wouter/use-browser-location'
import { readView, writeView, type ViewState } from './view-state.ts'

/** The view in the address. A change adds a step to the history, so that the back button undoes it; typing replaces instead. */
export function useView(): [view: ViewState, setView: (view: ViewState, options?: { replace?: boolean }) => void] {
  const search = useSearch()
  const view = useMemo(() => readView(search), [search])
  const setView = useCallback((next: ViewState, { replace = false } = {}) => {
    const written = writeView(next, location.search)
    if (written !== location.search) navigate(`${location.pathname}${written}`, { replace })
  }, [])
  return [view, setView]
}
