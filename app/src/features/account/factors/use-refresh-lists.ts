import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useAccountSource } from '#features/account/queries.ts'

/** Reads anew what else the account shows: a change to how one proves who one is appears in its activity, and may end or lower sessions. */
export function useRefreshLists(): () => void {
  const queries = useQueryClient()
  const { scope } = useAccountSource()
  return useCallback(() => {
    for (const part of ['activity', 'sessions', 'has-passkey']) void queries.invalidateQueries({ queryKey: [...scope, part] })
  }, [queries, scope])
}
