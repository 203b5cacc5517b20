import { useCallback, useMemo } from 'react'
import { useSearch } from 'wouter'
import { navigate } from 'wouter/use-browser-location'

export type ParameterChanges = Readonly<Record<string, string | null | undefined>>

/**
 * The query string of the page as state: what is set survives a reload and can be sent to others.
 * Null, undefined and empty take a parameter away; the entry in the history is replaced, not added.
 */
export function usePageParameters(): [parameters: URLSearchParams, change: (changes: ParameterChanges) => void] {
  const search = useSearch()
  const parameters = useMemo(() => new URLSearchParams(search), [search])
  const change = useCallback((changes: ParameterChanges) => {
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    const text = next.toString()
    // Browsers refuse addresses that change too often; the same again is none.
    if (text === new URLSearchParams(location.search).toString()) return
    navigate(`${location.pathname}${text ? `?${text}` : ''}`, { replace: true })
  }, [])
  return [parameters, change]
}
