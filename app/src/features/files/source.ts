import { useMemo } from 'react'
import type { Client, ProjectClient } from '#api/client.ts'
import { useSessionStore, useUser } from '#session/session.tsx'
import type { SessionStore } from '#session/session-store.ts'

/** Where files come from and whose they are: what every call of this area starts with. */
export interface FileSource {
  client: Client
  connection: ProjectClient
  session: SessionStore
  userId: string
  /** Every query key starts with it, so that nothing is shown to the next person. */
  scope: readonly [projectId: string, userId: string, area: 'files']
}

export function useFileSource(): FileSource {
  const session = useSessionStore()
  const { id } = useUser()
  return useMemo(() => {
    const { connection } = session
    return { client: connection.client, connection, session, userId: id, scope: [connection.project.id, id, 'files'] as const }
  }, [session, id])
}
