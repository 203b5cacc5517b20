import { useEffect, useMemo, useState, useSyncExternalStore, type ReactNode } from 'react'
import { Redirect } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import { home, secondFactorPath, signInPath } from '#session/redirects.ts'
import type { SessionState } from '#session/session-state.ts'
import { useSession, useSessionStore } from '#session/session.tsx'
import { Boot } from './boot.tsx'
import { LoadFailed, ScreenBoundary } from './load-failed.tsx'
import { matchRoute, type RouteMatch, type RouteModule } from './route.ts'
import type { Frame, Loaded, Queries, RouteLoader } from './route-loader.ts'
import { notFound, routes } from './table.ts'
import { useArrival } from './use-arrival.ts'

/** The match of an address; the not-found screen when there is none. */
export const findRoute = (pathname: string): RouteMatch => matchRoute(routes, pathname) ?? { route: notFound, params: {}, pathname }

/** Draws the screen of the address. The one before stays until the next is there, so that nothing flashes. */
export function Router({ loader }: { loader: RouteLoader }) {
  const pathname = usePathname()
  const match = useMemo(() => findRoute(pathname), [pathname])
  const loaded = useSyncExternalStore(loader.subscribe, () => loader.get(match.route))
  const [shown, setShown] = useState<{ match: RouteMatch; loaded: Loaded }>()

  useEffect(() => void loader.load(match.route), [loader, match])
  if (loaded && (shown?.match !== match || shown.loaded !== loaded)) setShown({ match, loaded })

  useArrival(shown?.match)
  useEffect(() => {
    if (shown) delete document.documentElement.dataset['inside']
  }, [shown])
  if (!shown) return <Boot />
  if ('error' in shown.loaded) return <LoadFailed error={shown.loaded.error} />
  const { module, queries, frame } = shown.loaded
  const placed = <Placed match={shown.match} module={module} queries={queries} />
  const screen = <Whole match={shown.match}>{frame ? <Inside frame={frame}>{placed}</Inside> : placed}</Whole>
  return queries ? <queries.QueryScope>{screen}</queries.QueryScope> : screen
}

/** Pages that a session without its second factor may stay on: what asks for it, what spends a link, what changes the project. */
const openToHalfSessions: ReadonlySet<string> = new Set(['/second-factor', '/callback', '/connect'])

/** A session that lacks its second factor is led to the page that asks for it, from wherever it is, and back afterwards. */
function Whole({ match, children }: { match: RouteMatch; children: ReactNode }) {
  const state = useSession()
  if (state.step !== 'second-factor' || openToHalfSessions.has(match.pathname)) return children
  const { last, user } = state
  return <Redirect to={secondFactorPath(last !== null && last.id !== user.id ? home : placeOf(match))} replace />
}

/** Where the person was, or wanted to go from the door. */
const placeOf = ({ route }: RouteMatch): string =>
  route.frame === 'inside' || route.returned ? `${location.pathname}${location.search}` : (new URLSearchParams(location.search).get('to') ?? home)

/** What stands inside is for the signed-in; anyone else is led to the door, with the way back. */
function Inside({ frame: Shell, children }: { frame: Frame; children: ReactNode }) {
  const state = useSession()
  const { connection } = useSessionStore()
  switch (state.step) {
    case 'starting':
    case 'second-factor':
      return connection.cookies.holdSomething() ? <Shell isWaiting /> : <Boot />
    case 'recovering':
      return <Redirect to="/new-password" replace />
    case 'signed-out':
    case 'cookies-blocked':
      return <Redirect to={wayToTheDoor(state)} replace />
    case 'signed-in':
      // Another tab may have gone on to another account: nothing on the screen is theirs.
      return <Shell key={state.user.id}>{children}</Shell>
  }
}

/** Whoever left on purpose is not led back; whoever comes next may be another person. */
const wayToTheDoor = (state: SessionState): string =>
  state.step === 'signed-out' && state.reason === 'signed-out-here' ? '/sign-in' : signInPath(`${location.pathname}${location.search}`)

function Placed({ match, module, queries }: { match: RouteMatch; module: RouteModule; queries: Queries | undefined }) {
  const { Screen } = module
  const session = useSessionStore()
  useState(() => queries?.startQueries(module, session, match))
  return (
    <ScreenBoundary resetKey={match.pathname}>
      <Screen key={match.route.place ?? match.pathname} params={match.params} />
    </ScreenBoundary>
  )
}
