import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import type { Area } from '#messages/languages.ts'
import type { SessionStore } from '#session/session-store.ts'

/** Path segments by name, as the address holds them: still percent-encoded, since a decoded key could not be taken apart. */
export type RouteParams = Readonly<Record<string, string>>

export interface ScreenProps {
  params: RouteParams
}

export interface LoaderContext {
  queryClient: QueryClient
  session: SessionStore
  params: RouteParams
  /** The query string, with its `?`. */
  search: string
}

/** What a route's file exports. */
export interface RouteModule {
  Screen: ComponentType<ScreenProps>
  /** Starts the queries of the screen before it is drawn; awaits nothing. */
  loader?: (context: LoaderContext) => void
}

export interface Route {
  /** `/data/:schema/:relation`; the first that fits wins. */
  path: string
  /** `door` stands alone, for anyone; `inside` stands in the shell, for the signed-in. */
  frame: 'door' | 'inside'
  /** Routes of one place share their screen, which stays mounted between them and moves the focus itself. */
  place?: string
  /** At the door, but a place of its own: who is led away to prove who they are comes back to it. */
  returned?: true
  /** An area whose words it says, besides those of its frame. */
  words?: Area
  /** Drawn without the query layer, and before the rarer words are there: what people meet first. It has no `loader`. */
  bare?: true
  load: () => Promise<RouteModule>
}

export interface RouteMatch {
  route: Route
  params: RouteParams
  pathname: string
}

/** Finds the route of a path. A trailing slash changes nothing. */
export function matchRoute(routes: readonly Route[], pathname: string): RouteMatch | undefined {
  for (const route of routes) {
    const params = matchPath(route.path, pathname)
    if (params) return { route, params, pathname }
  }
  return undefined
}

function matchPath(pattern: string, pathname: string): RouteParams | undefined {
  const wanted = segments(pattern)
  const given = segments(pathname)
  if (wanted.length !== given.length) return undefined
  const params: Record<string, string> = {}
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? ''
    if (segment.startsWith(':')) params[segment.slice(1)] = value
    else if (segment !== value) return undefined
  }
  return params
}

const segments = (path: string) => path.split('/').filter((segment) => segment !== '')
