import type { Route } from './route.ts'

/** Every address of the app. The order matters: the first that fits wins. */
export const routes: readonly Route[] = [
  { path: '/', frame: 'door', load: () => import('./home.tsx') },
  { path: '/connect', frame: 'door', load: () => import('./connect.tsx') },
]

export const notFound: Route = { path: '', frame: 'door', load: () => import('./not-found.tsx') }
