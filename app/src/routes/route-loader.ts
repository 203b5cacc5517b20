import type { ComponentType, ReactNode } from 'react'
import type { Area } from '#messages/languages.ts'
import type { Route, RouteModule } from './route.ts'

/** The layer that screens ask the project through; see `queries.tsx`. */
export type Queries = typeof import('./queries.tsx')

/** What stands around the screens inside; `isWaiting` draws its outline while it is not yet known who is in. */
export type Frame = ComponentType<{ isWaiting?: boolean; children?: ReactNode }>

/** What is needed to draw a route: its screen, the query layer unless it is bare, and the shell around it for those inside. */
export type Loaded = { module: RouteModule; queries: Queries | undefined; frame: Frame | undefined } | { error: unknown }

export interface RouteLoader {
  /** Undefined while it has not been fetched. */
  get: (route: Route) => Loaded | undefined
  /** Fetches the route's files once; a failed one is fetched again. */
  load: (route: Route) => Promise<void>
  subscribe: (listener: () => void) => () => void
}

export interface RouteLoaderParts {
  loadFrame: () => Promise<Frame>
  loadQueries: () => Promise<Queries>
  /** Fetches the words of an area; asking again costs nothing. */
  loadWords: (area: Area) => Promise<void>
}

export function createRouteLoader({ loadFrame, loadQueries, loadWords }: RouteLoaderParts): RouteLoader {
  const loaded = new Map<Route, Loaded>()
  const underway = new Map<Route, Promise<void>>()
  const listeners = new Set<() => void>()

  const settle = (route: Route, result: Loaded) => {
    loaded.set(route, result)
    underway.delete(route)
    for (const listener of listeners) listener()
  }
  const fetchRoute = async (route: Route) => {
    try {
      const isInside = route.frame === 'inside'
      const [module, queries, frame] = await Promise.all([
        route.load(),
        route.bare ? undefined : loadQueries(),
        isInside ? loadFrame() : undefined,
        isInside ? loadWords('inside') : undefined,
        route.bare ? undefined : loadWords('refusals'),
        route.words ? loadWords(route.words) : undefined,
      ])
      settle(route, { module, queries, frame })
    } catch (error) {
      settle(route, { error })
    }
  }
  return {
    get: (route) => loaded.get(route),
    load: (route) => {
      const known = loaded.get(route)
      if (known && 'module' in known) return Promise.resolve()
      const running = underway.get(route) ?? fetchRoute(route)
      underway.set(route, running)
      return running
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
