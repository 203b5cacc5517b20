import { queryOptions, useQuery } from '@tanstack/react-query'
import { readAuthSettings } from '#api/auth-settings.ts'
import type { ProjectClient } from '#api/client.ts'
import { useConnection } from '#session/session.tsx'

/** What the project lets people do at its door. The same for everyone, so no person is in its key. */
export const authSettingsQuery = (connection: ProjectClient) =>
  queryOptions({
    queryKey: [connection.project.id, 'door', 'settings'],
    queryFn: () => readAuthSettings(connection),
    staleTime: 5 * 60_000,
    networkMode: 'always',
  })

export const useAuthSettings = () => useQuery(authSettingsQuery(useConnection()))
