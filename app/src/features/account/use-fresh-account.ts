import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { activityQuery, sessionsQuery, useAccountSource, usePack } from './queries.ts'

/** Another device that signs in shows within this, while the page is looked at. */
const lookAgainMs = 15_000

/**
 * Keeps sessions and activity as they are on the server: read anew after each change sent from this page, wherever on it the
 * change is made, and looked at again from time to time.
 */
export function useFreshAccount(): void {
  const source = useAccountSource()
  const { connection, scope } = source
  const queries = useQueryClient()
  const hasPack = Boolean(usePack())

  useEffect(() => {
    let seen = connection.calls.list().at(-1)?.id ?? 0
    return connection.calls.subscribe(() => {
      const done = connection.calls.list().filter(({ id }) => id > seen)
      seen = done.at(-1)?.id ?? seen
      if (!done.some(({ service, method, status }) => service === 'auth' && method !== 'GET' && status >= 200 && status < 300)) return
      void queries.invalidateQueries({ queryKey: [...scope, 'activity'] })
      void queries.invalidateQueries({ queryKey: [...scope, 'sessions'] })
    })
  }, [connection, queries, scope])

  const sessions = useQuery({ ...sessionsQuery(source), enabled: hasPack, refetchInterval: lookAgainMs, refetchOnWindowFocus: 'always' })
  const present = sessions.data?.map(({ id }) => id).join()
  useEffect(() => {
    if (present !== undefined) void queries.invalidateQueries({ queryKey: activityQuery({ connection, scope }).queryKey })
  }, [present, queries, connection, scope])
}
