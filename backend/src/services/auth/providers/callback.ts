import { ServiceError } from '#contract/service-error.ts'
import type { Transaction } from '#database/database.ts'

import type { Auth } from '#services/auth/auth.ts'
import type { Call } from '#services/auth/call.ts'
import { isUuid } from '#services/auth/codes.ts'
import { authError, oauthError } from '#services/auth/errors.ts'
import { deleteFlowState } from '#services/auth/flow-states.queries.ts'
import { sendDue, type DueLetter } from '#services/auth/letters.ts'
import { isOlderThan } from '#services/auth/moments.ts'
import { beginSession, type Grant } from '#services/auth/sessions.ts'
import type { User } from '#services/auth/user.ts'
import { redirect, withParams } from '#services/auth/verify-routes.ts'

import { admit, onceMoreAfterRace } from './accounts.ts'
import { endTicket, mayEndHere } from './browser-binding.ts'
import { errorParams, failureOf } from './error-params.ts'
import { completeVisit, type Visit } from './exchange.ts'
import { findProvider } from './find-provider.ts'
import { completeProviderFlow, findProviderFlow, takeClientState, type ProviderFlow } from './flows.queries.ts'
import { acceptInvite } from './invitation.ts'
import { linkIdentity, noticeOfLink } from './identities.ts'
import { UnsupportedProvider, type Provider } from './provider.ts'

/** Longest description of a provider's error that is handed on. */
const longestDescription = 500

async function readParams(call: Call): Promise<URLSearchParams> {
  if (call.request.method !== 'POST') return call.query
  const type = call.request.headers.get('content-type') ?? ''
  return type.startsWith('application/x-www-form-urlencoded') ? new URLSearchParams(await call.request.text()) : call.query
}

/** @throws `bad_oauth_callback`, `bad_oauth_state`, `flow_state_already_used` (400). */
async function requireFlow(auth: Auth, call: Call, state: string): Promise<ProviderFlow> {
  if (state === '') throw authError('bad_oauth_callback', { message: 'OAuth state parameter missing' })
  if (!isUuid(state)) throw authError('bad_oauth_state', { message: 'OAuth state parameter is invalid' })
  const flow = await auth.transact((tx) => findProviderFlow(tx, state.toLowerCase()), { readOnly: true })
  if (!flow) throw authError('bad_oauth_state')
  if (isOlderThan(flow.createdAt, auth.settings.flowStateExpirySeconds, auth.now().getTime())) throw authError('bad_oauth_state', { message: 'OAuth state has expired' })
  if (flow.userId !== null) throw authError('flow_state_already_used', { message: 'State has already been used' })
  const binding = { id: flow.id, isPkce: flow.code !== null, isLink: flow.linkingTargetId !== null }
  if (!mayEndHere(call, binding)) throw authError('bad_oauth_state', { message: 'OAuth state belongs to another browser' })
  return flow
}

/** Takes the visit's verifier, so that nobody ends it twice. @throws `oauth_client_state_not_found`, `oauth_client_state_expired` (422), `oauth_invalid_state` (400). */
async function takeVerifier(auth: Auth, flow: ProviderFlow): Promise<string> {
  const { clientStateId } = flow
  const state = clientStateId === null ? undefined : await auth.transact((tx) => takeClientState(tx, clientStateId))
  if (!state) throw authError('oauth_client_state_not_found', { message: 'OAuth state not found' })
  if (state.provider !== flow.provider) throw authError('oauth_invalid_state', { message: 'OAuth provider mismatch' })
  if (isOlderThan(state.createdAt, auth.settings.flowStateExpirySeconds, auth.now().getTime())) throw authError('oauth_client_state_expired', { message: 'OAuth state expired' })
  return state.verifier
}

async function openAgain(auth: Auth, name: string): Promise<Provider> {
  try {
    return await findProvider(auth, name, '')
  } catch (error) {
    const why = error instanceof UnsupportedProvider ? error.message : 'it cannot be reached'
    throw authError('oauth_provider_not_supported', { message: `Unsupported provider: ${why}` })
  }
}

async function visitOf(auth: Auth, flow: ProviderFlow, params: URLSearchParams): Promise<Visit> {
  const error = params.get('error') ?? ''
  if (error !== '') throw oauthError(error.slice(0, 100), (params.get('error_description') ?? '').slice(0, longestDescription))
  if (!params.get('code')) throw authError('bad_oauth_callback', { message: 'OAuth callback with missing authorization code missing' })
  const verifier = await takeVerifier(auth, flow)
  const provider = await openAgain(auth, flow.provider)
  const visit = await completeVisit(auth, provider, { params, state: params.get('state') ?? '', verifier })
  if (visit.identity.emails.length === 0 && !flow.emailOptional) {
    throw authError('unexpected_failure', { message: 'Error getting user email from external provider' })
  }
  return visit
}

type Ended =
  | { kind: 'code'; user: User; code: string }
  | { kind: 'tokens'; user: User; grant: Grant }
  | { kind: 'refused'; failure: ServiceError; due: readonly DueLetter[] }

interface Ending {
  call: Call
  flow: ProviderFlow
  visit: Visit
}

async function personOf(auth: Auth, tx: Transaction, { flow, visit }: Ending) {
  const { provider, inviteToken, linkingTargetId, emailOptional } = flow
  const { identity } = visit
  const arrival = { provider, identity, emailOptional, redirectTo: flow.redirectTo ?? auth.settings.siteUrl }
  if (linkingTargetId !== null) return linkIdentity(auth, tx, { ...arrival, targetId: linkingTargetId })
  if (inviteToken !== null) return { kind: 'in', user: await acceptInvite(auth, tx, { ...arrival, inviteToken }) } as const
  return admit(auth, tx, arrival)
}

async function end(auth: Auth, tx: Transaction, ending: Ending): Promise<Ended> {
  const { flow, visit, call } = ending
  const outcome = await personOf(auth, tx, ending)
  if (outcome.kind === 'refused') return outcome
  const { user } = outcome
  if (flow.code === null) {
    await deleteFlowState(tx, flow.id)
    return { kind: 'tokens', user, grant: await beginSession(auth, tx, { user, method: 'oauth', call }) }
  }
  const { accessToken, refreshToken } = visit.tokens
  const completed = await completeProviderFlow(tx, { id: flow.id, userId: user.id, accessToken, refreshToken, at: auth.now() })
  if (completed === 0) throw authError('flow_state_already_used', { message: 'State has already been used' })
  return { kind: 'code', user, code: flow.code }
}

function tokensInFragment(target: string, { grant }: Extract<Ended, { kind: 'tokens' }>, { tokens }: Visit): string {
  return withParams(target, {
    fragment: {
      access_token: grant.accessToken,
      expires_at: String(grant.expiresAt),
      expires_in: String(grant.expiresIn),
      provider_token: tokens.accessToken,
      ...(tokens.refreshToken === '' ? {} : { provider_refresh_token: tokens.refreshToken }),
      refresh_token: grant.refreshToken,
      sb: '',
      token_type: 'bearer',
    },
  })
}

async function answerFlow(auth: Auth, call: Call, { flow, params, target }: { flow: ProviderFlow; params: URLSearchParams; target: string }): Promise<string> {
  const visit = await visitOf(auth, flow, params)
  const ended = await onceMoreAfterRace(() => auth.transact((tx) => end(auth, tx, { call, flow, visit })))
  if (ended.kind === 'refused') {
    await sendDue(auth, ended.due)
    throw ended.failure
  }
  if (flow.linkingTargetId !== null) noticeOfLink(auth, ended.user, flow.provider)
  return ended.kind === 'code' ? withParams(target, { query: { code: ended.code } }) : tokensInFragment(target, ended, visit)
}

/**
 * `GET, POST /callback`: where a provider sends the browser back to. Always goes on to where the visit was begun for, with a `code`,
 * tokens, or what went wrong; to the project's site when it cannot be told which visit this is.
 *
 * @see supabase/auth internal/api/external.go, `ExternalProviderCallback`
 */
export async function callback(auth: Auth, call: Call): Promise<Response> {
  const params = await readParams(call)
  let flow: ProviderFlow
  try {
    flow = await requireFlow(auth, call, params.get('state') ?? '')
  } catch (error) {
    return redirect(withParams(auth.settings.siteUrl, { query: errorParams(failureOf(auth, call, error)) }))
  }
  const target = flow.redirectTo ?? auth.settings.siteUrl
  let answer: Response
  try {
    answer = redirect(await answerFlow(auth, call, { flow, params, target }), 302)
  } catch (error) {
    const told = errorParams(failureOf(auth, call, error))
    answer = redirect(withParams(target, { query: told, fragment: { ...told, sb: '' } }), 302)
  }
  answer.headers.append('set-cookie', endTicket(flow.id, { redirectUri: `${auth.settings.externalUrl}/callback` }))
  return answer
}
