import { AppError } from './app-error.ts'
import type { Client } from './client.ts'
import { toAppError, unwrap } from './unwrap.ts'

/** One application's request to be let in, as the project tells it. */
export interface ConsentRequest {
  id: string
  /** Where the person is taken afterwards: `https://shop.example/callback`. Registered, and compared by the project. */
  redirectUri: string
  /** What the application calls itself; anyone may choose any name. */
  app: { name: string; uri: string; logo: string }
  scopes: readonly string[]
}

/** What the project answers to somebody who looks at a request: the request, or where to go when there is nothing to decide. */
export type ConsentAnswer = { kind: 'ask'; request: ConsentRequest } | { kind: 'known'; returnTo: string }

/** Reads a request; from then on it belongs to this person. @throws AppError; `consentFault` says what it means. */
export async function readConsent(client: Client, id: string): Promise<ConsentAnswer> {
  const details = await unwrap(client.auth.oauth.getAuthorizationDetails(id))
  if (!details) throw new AppError('broken', '')
  if ('redirect_url' in details) return { kind: 'known', returnTo: details.redirect_url }
  const { name, uri, logo_uri: logo } = details.client
  const scopes = (details.scope ?? '').split(' ').filter((scope) => scope !== '')
  return { kind: 'ask', request: { id, redirectUri: details.redirect_uri, app: { name: name ?? '', uri: uri ?? '', logo: logo ?? '' }, scopes } }
}

/** Answers a request; gives where the person goes now. @throws AppError. */
export async function decideConsent(client: Client, id: string, isAllowed: boolean): Promise<string> {
  const { oauth } = client.auth
  const stay = { skipBrowserRedirect: true }
  const answer = await unwrap(isAllowed ? oauth.approveAuthorization(id, stay) : oauth.denyAuthorization(id, stay))
  if (!answer) throw new AppError('broken', '')
  return answer.redirect_url
}

/**
 * Why a request cannot be looked at or answered, whatever is tried again: unknown, too old or another person's (`gone`, which the
 * project does not tell apart), decided, asked from an address the project does not know, or not offered at all.
 */
export type ConsentFault = 'gone' | 'answered' | 'origin' | 'off'

/** What a failure means for a request; undefined: trying again may help. */
export function consentFault(failure: unknown): ConsentFault | undefined {
  const { code, status, message } = toAppError(failure)
  if (code === 'oauth_authorization_not_found') return 'gone'
  // Two refusals share one code; only the words differ.
  if (code === 'validation_failed') return message.includes('origin') ? 'origin' : 'answered'
  return code === 'feature_disabled' || status === 404 ? 'off' : undefined
}
