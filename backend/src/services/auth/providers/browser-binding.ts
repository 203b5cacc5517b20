import { createHash } from 'node:crypto'

import type { Auth } from '#services/auth/auth.ts'
import type { Call } from '#services/auth/call.ts'
import { flowIdOf } from '#services/auth/codes.ts'

import type { Provider } from './provider.ts'

// Whoever begins a visit to a provider in their own browser, and lets another person's browser end it, has that person signed in as
// somebody they are not. So a browser that begins a visit is given a secret for it, and the visit's id is made from that secret: the
// browser that ends it must show it. PKCE clients are safe without, their code being worth nothing in another browser.

/** How long a browser keeps the secret of a visit. */
const keptForSeconds = 600

const cookieName = (flowId: string): string => `portico-visit-${createHash('sha256').update(flowId).digest('hex').slice(0, 16)}`

/** What a visit is called, and the cookie by which its browser is known; none for clients that are no browser. */
export interface VisitTicket {
  flowId: string
  cookie?: string
}

/** Whether the browser comes back to the same host that it begins at, and so can show a cookie of that host. */
const endsWhereItBegan = (call: Call, provider: Provider): boolean => new URL(provider.redirectUri).origin === new URL(call.context.origin).origin

const isNavigation = (call: Call): boolean => call.request.headers.get('sec-fetch-mode') === 'navigate'

/** Makes the id of a visit, bound to the browser that asks where it comes by itself: a page's `fetch` may keep no cookies. */
export function ticketFor(auth: Auth, call: Call, provider: Provider): VisitTicket {
  if (!isNavigation(call) || !endsWhereItBegan(call, provider)) return { flowId: auth.random.uuid() }
  const secret = auth.random.word(32)
  const flowId = flowIdOf(secret)
  const { protocol, pathname } = new URL(provider.redirectUri)
  // A provider that posts its answer comes as another site's form, which carries no `Lax` cookie.
  const isPosted = provider.params.response_mode === 'form_post'
  const site = isPosted && protocol === 'https:' ? 'None' : 'Lax'
  const secure = protocol === 'https:' ? '; Secure' : ''
  return { flowId, cookie: `${cookieName(flowId)}=${secret}; Path=${pathname}; Max-Age=${keptForSeconds}; HttpOnly; SameSite=${site}${secure}` }
}

/** Takes the secret of a visit out of the browser. */
export const endTicket = (flowId: string, provider: Pick<Provider, 'redirectUri'>): string =>
  `${cookieName(flowId)}=; Path=${new URL(provider.redirectUri).pathname}; Max-Age=0; HttpOnly; SameSite=Lax`

// The fourteenth digit of a UUID is its version: ids made from a secret have 8, those made by chance 4.
const isBound = (flowId: string): boolean => flowId.charAt(14) === '8'

function shownSecret(call: Call, flowId: string): string {
  const name = cookieName(flowId)
  for (const pair of (call.request.headers.get('cookie') ?? '').split(';')) {
    const [key = '', value = ''] = pair.trim().split('=', 2)
    if (key === name) return value
  }
  return ''
}

/**
 * Whether a visit may end in this browser. One that was begun by a browser ends there alone. One that was not, and whose tokens would
 * lie in the address, ends in no browser that could have begun it itself.
 */
export function mayEndHere(call: Call, flow: { id: string; isPkce: boolean; isLink: boolean }): boolean {
  if (isBound(flow.id)) {
    const secret = shownSecret(call, flow.id)
    return secret !== '' && flowIdOf(secret) === flow.id
  }
  return flow.isPkce || flow.isLink || !isNavigation(call)
}

/**
 * Where to begin again so that the visit begins at the host it ends at: a box is reached as `localhost` and as `127.0.0.1`, and a
 * cookie of one is none of the other. Undefined: it does already, or cannot.
 */
export function betterBeginning(auth: Auth, call: Call): string | undefined {
  const { externalUrl } = auth.settings
  const isHere = new URL(externalUrl).origin === new URL(call.context.origin).origin
  if (isHere || !isNavigation(call) || call.query.has('portico_here')) return undefined
  const query = new URLSearchParams(call.query)
  query.set('portico_here', '1')
  return `${externalUrl}/authorize?${query}`
}
