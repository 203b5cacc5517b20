import { useMemo } from 'react'
import type { Client } from '#api/client.ts'
import type { Project } from '#project.ts'
import { useConnection, useUser } from '#session/session.tsx'

/** Where data comes from and whose it is: what every query of the workspace starts with. */
export interface Source {
  client: Client
  /** For the data API's root, which the official client has no call for. */
  fetch: typeof fetch
  project: Project
  /** The database role the person's token names. */
  role: string
  /** Every query key starts with it, so that nothing is shown to the next person. */
  scope: readonly [projectId: string, userId: string, area: 'data']
}

export function useSource(): Source {
  const { client, fetch: projectFetch, project } = useConnection()
  const { id, role = 'authenticated' } = useUser()
  return useMemo(
    () => ({ client, fetch: projectFetch, project, role, scope: [project.id, id, 'data'] as const }),
    [client, projectFetch, project, role, id],
  )
}
