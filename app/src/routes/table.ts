import * as home from './home.tsx'
import type { Route } from './route.ts'

/** Every address of the app. The order matters: the first that fits wins. */
export const routes: readonly Route[] = [
  { path: '/', frame: 'door', bare: true, load: () => Promise.resolve(home) },
  { path: '/connect', frame: 'door', bare: true, words: 'connect', load: () => import('./connect.tsx') },
  { path: '/sign-in', frame: 'door', bare: true, load: () => import('./sign-in.tsx') },
  { path: '/sign-up', frame: 'door', bare: true, words: 'ways', load: () => import('./sign-up.tsx') },
  { path: '/forgot-password', frame: 'door', bare: true, load: () => import('./forgot-password.tsx') },
  { path: '/new-password', frame: 'door', bare: true, words: 'arrivals', load: () => import('./new-password.tsx') },
  { path: '/second-factor', frame: 'door', bare: true, words: 'secondFactor', load: () => import('./second-factor.tsx') },
  { path: '/save-account', frame: 'door', bare: true, words: 'ways', load: () => import('./save-account.tsx') },
  { path: '/accounts', frame: 'door', bare: true, words: 'accounts', load: () => import('./accounts.tsx') },
  { path: '/callback', frame: 'door', bare: true, words: 'arrivals', load: () => import('./callback.tsx') },
  { path: '/oauth/consent', frame: 'door', bare: true, returned: true, words: 'consent', load: () => import('./oauth.consent.tsx') },
  { path: '/onward', frame: 'door', bare: true, returned: true, words: 'onward', load: () => import('./onward.tsx') },
  { path: '/data', frame: 'inside', place: 'data', load: () => import('./data.tsx') },
  { path: '/data/:schema/:relation', frame: 'inside', place: 'data', load: () => import('./data.tsx') },
  { path: '/data/:schema/:relation/:key', frame: 'inside', place: 'data', load: () => import('./data.tsx') },
  { path: '/call/:schema/:name', frame: 'inside', load: () => import('./data.call.tsx') },
  { path: '/files', frame: 'inside', words: 'files', load: () => import('./files.tsx') },
  { path: '/files/:bucket', frame: 'inside', words: 'files', load: () => import('./files.bucket.tsx') },
  { path: '/functions', frame: 'inside', words: 'tools', load: () => import('./functions.tsx') },
  { path: '/functions/:name', frame: 'inside', words: 'tools', load: () => import('./functions.name.tsx') },
  { path: '/inspector', frame: 'inside', words: 'tools', load: () => import('./inspector.tsx') },
  { path: '/live', frame: 'inside', words: 'channels', load: () => import('./live.tsx') },
  { path: '/account', frame: 'inside', words: 'account', load: () => import('./account.tsx') },
  { path: '/account/data', frame: 'inside', words: 'account', load: () => import('./account.data.tsx') },
  { path: '/goodbye', frame: 'door', bare: true, words: 'account', load: () => import('./goodbye.tsx') },
  { path: '/account/security', frame: 'inside', words: 'account', load: () => import('./account.security.tsx') },
]

export const notFound: Route = { path: '', frame: 'door', bare: true, load: () => import('./not-found.tsx') }
