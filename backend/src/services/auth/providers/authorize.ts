import type { Auth } from '#services/auth/auth.ts'
import { reply, type Call } from '#services/auth/call.ts'
import { requireOwnLevel, requireSignedIn } from '#services/auth/caller.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import { findOneTimeToken } from '#services/auth/one-time-tokens.queries.ts'
import { readChallenge } from '#services/auth/pkce.ts'
import type { User } from '#services/auth/user.ts'
import { redirect } from '#services/auth/verify-routes.ts'

import { betterBeginning, ticketFor } from './browser-binding.ts'
import { authorizationUrl, newVerifier, reservedParams } from './exchange.ts'
import { findProvider } from './find-provider.ts'
import { insertClientState, insertProviderFlow } from './flows.queries.ts'
import { UnsupportedProvider, type Provider } from './provider.ts'

/** @throws `validation_failed` (400) "Unsupported provider: …". */
async function requireProvider(auth: Auth, call: Call): Promise<Provider> {
  try {
    return await findProvider(auth, (call.query.get('provider') ?? '').toLowerCase(), call.query.get('scopes') ?? '')
  } catch (error) {
    if (error instanceof UnsupportedProvider) throw invalidRequest(`Unsupported provider: ${error.message}`)
    auth.logger.warn('an identity provider cannot be reached', { provider: call.query.get('provider') ?? '', error })
    throw invalidRequest('Unsupported provider: it cannot be reached')
  }
}

const ownParams = new Set(['provider', 'scopes', 'redirect_to', 'invite_token', 'skip_http_redirect', 'apikey', 'portico_here'])

// What the client adds is handed on, save what this service itself says to the provider.
function handedOn(query: URLSearchParams): Record<string, string> {
  const given = [...query].filter(([name]) => !ownParams.has(name) && !reservedParams.has(name.toLowerCase()))
  return Object.fromEntries(given.map(([name, value]) => [name === 'workos_provider' ? 'provider' : name, value]))
}

async function requireInvite(auth: Auth, token: string): Promise<void> {
  if (token === '') return
  const found = await auth.transact((tx) => findOneTimeToken(tx, token, ['confirmation_token']), { readOnly: true })
  if (!found) throw authError('user_not_found', { message: 'User identified by token not found' })
}

/** Notes that somebody leaves for a provider, and says where to. */
async function begin(auth: Auth, call: Call, target: User | undefined): Promise<{ url: string; cookie?: string }> {
  const { query } = call
  const provider = await requireProvider(auth, call)
  const inviteToken = query.get('invite_token') ?? ''
  await requireInvite(auth, inviteToken)
  const challenge = readChallenge(query.get('code_challenge') ?? '', query.get('code_challenge_method') ?? '')
  const { flowId, cookie } = ticketFor(auth, call, provider)
  const [clientStateId, verifier, at] = [auth.random.uuid(), newVerifier(), auth.now()]
  await auth.transact(async (tx) => {
    await insertClientState(tx, { id: clientStateId, provider: provider.name, verifier, at })
    await insertProviderFlow(tx, {
      id: flowId,
      code: auth.random.uuid(),
      challenge,
      provider: provider.name,
      inviteToken,
      redirectTo: auth.redirects.choose(call.request),
      clientStateId,
      linkingTargetId: target?.id ?? null,
      emailOptional: provider.emailOptional,
      at,
    })
  })
  const url = await authorizationUrl(provider, { state: flowId, verifier, params: handedOn(query) })
  return { url, ...(cookie === undefined ? {} : { cookie }) }
}

function withCookie(response: Response, cookie: string | undefined): Response {
  if (cookie !== undefined) response.headers.append('set-cookie', cookie)
  return response
}

/**
 * `GET /authorize`: sends the browser to a provider's page.
 *
 * @throws `validation_failed` (400) for a provider that is not on, or half a PKCE challenge; `user_not_found` (404) for a wrong invitation.
 * @see supabase/auth internal/api/external.go, `ExternalProviderRedirect`
 */
export async function authorize(auth: Auth, call: Call): Promise<Response> {
  const elsewhere = betterBeginning(auth, call)
  if (elsewhere !== undefined) return redirect(elsewhere, 302)
  const { url, cookie } = await begin(auth, call, undefined)
  return withCookie(redirect(url, 302), cookie)
}

/**
 * `GET /user/identities/authorize`: as `/authorize`, for a further identity of the person who asks. With `skip_http_redirect=true` the
 * address comes as `{ url }`.
 *
 * @throws `manual_linking_disabled` (404), `insufficient_aal` (403).
 * @see supabase/auth internal/api/identity.go, `LinkIdentity`
 */
export async function authorizeLink(auth: Auth, call: Call): Promise<Response> {
  const signedIn = await requireSignedIn(auth, call)
  if (!auth.settings.enableManualLinking) throw authError('manual_linking_disabled')
  requireOwnLevel(signedIn, 'link identities')
  const { url, cookie } = await begin(auth, call, signedIn.user)
  const answer = call.query.get('skip_http_redirect') === 'true' ? reply(call, { url }) : redirect(url, 302)
  return withCookie(answer, cookie)
}
