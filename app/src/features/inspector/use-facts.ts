import { useQuery } from '@tanstack/react-query'
import { listCookies, listProofFacts, listStored } from '#api/stored-facts.ts'
import type { ProjectClient } from '#api/client.ts'
import { useProjects } from '#projects/projects.tsx'
import { useConnection, useUser } from '#session/session.tsx'
import { readToken } from './claims.ts'
import { missingChunks, readCookieFacts } from './cookie-facts.ts'

const lookAgainMs = 2000

/** What is stored now, looked at again every other second; of tokens and proofs nothing but their form. */
export function useStored() {
  const connection = useConnection()
  const { id } = useUser()
  const { projects } = useProjects()
  return useQuery({
    queryKey: [connection.project.id, id, 'inspector', 'stored'],
    queryFn: () => readStored(connection, projects),
    refetchInterval: lookAgainMs,
    staleTime: 0,
  })
}

export type Stored = Awaited<ReturnType<typeof readStored>>

async function readStored(connection: ProjectClient, projects: Parameters<typeof readCookieFacts>[2]) {
  const [session, proofs] = await Promise.all([connection.cookies.inspect(), listProofFacts(connection)])
  const cookies = readCookieFacts(listCookies(), connection.project, projects)
  return {
    token: session.kind === 'sound' ? readToken(session.accessToken) : null,
    state: session.kind === 'sound' && session.mixed ? ('mixed' as const) : session.kind,
    cookies,
    missing: missingChunks(cookies, connection.cookies.name),
    proofs,
    local: listStored(localStorage),
    tab: listStored(sessionStorage),
  }
}
