import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { Redirect } from 'wouter'
import { usePathname } from 'wouter/use-browser-location'
import { signInPath } from '#session/redirects.ts'
import type { SessionState } from '#session/session-state.ts'
import { useSession, useSessionStore } from '#session/session.tsx'
import { Boot } from './boot.tsx'
import { LoadFailed, ScreenBoundary } from './load-failed.tsx'
import { matchRoute, type RouteMatch, type RouteModule } from './route.ts'
import type { Frame, Loaded, RouteLoader } from './route-loader.ts'
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
  const { error, module, frame } = { error: undefined, module: undefined, frame: undefined, ...shown.loaded }
  if (!module) return <LoadFailed error={error} />
  if (shown.match.route.frame === 'inside' && frame) return <Inside match={shown.match} module={module} frame={frame} />
  return <Placed match={shown.match} module={module} />
}

/** What stands inside is for the signed-in; anyone else is led to the door, with the way back. */
function Inside({ match, module, frame: Shell }: { match: RouteMatch; module: RouteModule; frame: Frame }) {
  const state = useSession()
  const { connection } = useSessionStore()
  switch (state.step) {
    case 'starting':
      return connection.cookies.holdSomething() ? <Shell isWaiting /> : <Boot />
    case 'recovering':
      return <Redirect to="/new-password" replace />
    case 'signed-out':
    case 'cookies-blocked':
      return <Redirect to={wayToTheDoor(state)} replace />
    case 'signed-in':
      return (
        <Shell>
          <Placed match={match} module={module} />
        </Shell>
      )
  }
}

/** Whoever left on purpose is not led back; whoever comes next may be another person. */
const wayToTheDoor = (state: SessionState): string =>
  state.step === 'signed-out' && state.reason === 'signed-out-here' ? '/sign-in' : signInPath(`${location.pathname}${location.search}`)

function Placed({ match, module }: { match: RouteMatch; module: RouteModule }) {
  const { Screen, loader } = module
  const queryClient = useQueryClient()
  const session = useSessionStore()
  // Queries start here, before the first draw of the screen; asking twice asks once.
  useState(() => loader?.({ queryClient, session, params: match.params, search: location.search }))
  return (
    <ScreenBoundary resetKey={match.pathname}>
      <Screen key={match.route.place ?? match.pathname} params={match.params} />
    </ScreenBoundary>
  )
}
