import { createContext, use, useCallback, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { createProjectClient, type Client, type ClientParts, type ProjectClient, type User } from '#api/client.ts'
import type { Project } from '#project.ts'
import { SessionStore } from './session-store.ts'
import { isSignedIn, type SessionState } from './session-state.ts'

const Context = createContext<SessionStore | undefined>(undefined)

/**
 * Opens one project's session for everything below.
 * Give it `key={project.id}`: another project is another client, never a changed one.
 */
export function SessionProvider({ project, parts, children }: { project: Project; parts?: ClientParts; children: ReactNode }) {
  const [store] = useState(() => new SessionStore(createProjectClient(project, parts)))

  useEffect(() => store.start(), [store])

  return <Context value={store}>{children}</Context>
}

/** The store itself, for the few who sign in and out. */
export function useSessionStore(): SessionStore {
  const store = use(Context)
  if (!store) throw new Error('useSession needs a SessionProvider above it')
  return store
}

/** Who is signed in, always current: drawn anew when another tab signs in or out. */
export function useSession(): SessionState {
  const store = useSessionStore()
  return useSyncExternalStore(store.subscribe, store.current)
}

/** The official client of the project in hand. */
export const useClient = (): Client => useSessionStore().connection.client

/** The project in hand. */
export const useProject = (): Project => useSessionStore().connection.project

/** The client with its call log, cookies and connection. */
export const useConnection = (): ProjectClient => useSessionStore().connection

/** The signed-in person; for screens that stand behind the sign-in only. */
export function useUser(): User {
  const state = useSession()
  if (!isSignedIn(state)) throw new Error('useUser is for screens behind the sign-in')
  return state.user
}

/** False after a call that got no answer, until one does. */
export function useOnline(): boolean {
  const { connection } = useConnection()
  const subscribe = useCallback((listener: () => void) => connection.subscribe(listener), [connection])
  return useSyncExternalStore(subscribe, connection.current) === 'online'
}
