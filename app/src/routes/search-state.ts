import { useCallback, useMemo } from 'react'
import { navigate, useSearch } from 'wouter/use-browser-location'

/** How one kind of state is read from the query string and written into it. */
export interface SearchSchema<State> {
  /** Must take any text: an old or mangled link still opens. */
  read: (search: string) => State
  /** Gives the whole query string, with its `?` or empty, and keeps what is not its own. */
  write: (state: State, search: string) => string
}

export type SetSearchState<State> = (next: State | ((current: State) => State), options?: { replace?: boolean }) => void

/**
 * State that lives in the address, so that a view can be linked and the back button undoes it.
 * A change adds a step to the history; with `replace` (while typing) it does not.
 */
export function useSearchState<State>(schema: SearchSchema<State>): [state: State, set: SetSearchState<State>] {
  const search = useSearch()
  const state = useMemo(() => schema.read(search), [schema, search])
  const set = useCallback<SetSearchState<State>>(
    (next, { replace = false } = {}) => {
      const current = location.search
      const changed = typeof next === 'function' ? (next as (current: State) => State)(schema.read(current)) : next
      const written = schema.write(changed, current)
      if (written !== current) navigate(`${location.pathname}${written}${location.hash}`, { replace, state: history.state })
    },
    [schema],
  )
  return [state, set]
}
