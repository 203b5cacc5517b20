import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { AppError } from '#api/app-error.ts'
import { useSessionStore } from '#session/session.tsx'
import type { SessionStore } from '#session/session-store.ts'
import type { RouteMatch, RouteModule } from './route.ts'

/** One project's queries; they last as long as its session store, over whatever pages come between. */
const clients = new WeakMap<SessionStore, QueryClient>()

function clientOf(session: SessionStore): QueryClient {
  const client = clients.get(session) ?? createQueryClient()
  clients.set(session, client)
  return client
}

/** Hands the queries of the project in hand to everything below. */
export function QueryScope({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={clientOf(useSessionStore())}>{children}</QueryClientProvider>
}

/** Starts the queries of a screen before its first draw; asking twice asks once. */
export function startQueries({ loader }: RouteModule, session: SessionStore, { params }: RouteMatch): void {
  loader?.({ queryClient: clientOf(session), session, params, search: location.search })
}

/** Only what may pass by itself is asked again: no answer, or a busy server. */
function createQueryClient(): QueryClient {
  const mayPass = (error: unknown) => error instanceof AppError && (error.kind === 'offline' || error.kind === 'busy')
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        networkMode: 'always',
        retry: (count, error) => count < 2 && mayPass(error),
      },
      mutations: { networkMode: 'always' },
    },
  })
}
