import { ServiceError } from '#contract/service-error.ts'

import type { Auth } from './auth.ts'
import { readBody, reply, type Call } from './call.ts'
import { flowIdOf, pkcePrefix } from './codes.ts'
import { readEmail, readPhone } from './email-address.ts'
import { authError, invalidRequest } from './errors.ts'
import { issueFlowCode } from './flow-states.queries.ts'
import { beginSession, type Grant } from './sessions.ts'
import { grantReply } from './token-grants.ts'
import { countingTries, readVerifyType, verifyProof, type Proof } from './verify.ts'
import { isCheckedByProvider, requireApproval, verifyPhoneProof, type PhoneProof } from './verify-phone.ts'
import { verifyBody } from './wire.ts'

const firstAccepted = 'Confirmation link accepted. Please proceed to confirm link sent to the other email'

/** The word of OAuth 2 for a status. @see supabase/auth internal/api/errors.go, `oauthErrorMap` */
const oauthWords: Readonly<Record<number, string>> = {
  400: 'invalid_request',
  401: 'unauthorized_client',
  403: 'access_denied',
  500: 'server_error',
  503: 'temporarily_unavailable',
}

/** Sends a browser on. */
export const redirect = (to: string, status: 302 | 303 = 303): Response =>
  new Response(null, { status, headers: { location: to, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' } })

/** Adds parameters to the query of an address, and puts a fragment in the place of its own. */
export function withParams(target: string, { query, fragment }: { query?: Record<string, string>; fragment?: Record<string, string> }): string {
  const [base = ''] = target.split('#', 1)
  const [path = '', given = ''] = [base.split('?', 1)[0], base.includes('?') ? base.slice(base.indexOf('?') + 1) : '']
  const params = new URLSearchParams(given)
  for (const [name, value] of Object.entries(query ?? {})) params.set(name, value)
  const search = query ? params.toString() : given
  const hash = fragment ? `#${new URLSearchParams(fragment)}` : ''
  return `${path}${search === '' ? '' : `?${search}`}${hash}`
}

/** An error as a browser carries it back: in the fragment, and in the query too when the client waits for a `code`. */
export function errorRedirect(target: string, failure: ServiceError, isPkce: boolean): string {
  const word = oauthWords[failure.status]
  const params = { ...(word ? { error: word } : {}), error_code: failure.code, error_description: failure.message }
  return withParams(target, { ...(isPkce ? { query: params } : {}), fragment: { ...params, sb: '' } })
}

function tokenRedirect(target: string, grant: Grant, type: string): string {
  return withParams(target, {
    fragment: {
      access_token: grant.accessToken,
      expires_at: String(grant.expiresAt),
      expires_in: String(grant.expiresIn),
      refresh_token: grant.refreshToken,
      token_type: 'bearer',
      type,
      sb: '',
    },
  })
}

function messageRedirect(target: string, isPkce: boolean): string {
  return withParams(target, { ...(isPkce ? { query: { message: firstAccepted } } : {}), fragment: { message: firstAccepted, sb: '' } })
}

async function openLink(auth: Auth, call: Call, asked: { hash: string; type: string; target: string }): Promise<string> {
  const { hash, target } = asked
  const proof = { type: readVerifyType(asked.type), hash }
  const isPkce = hash.startsWith(pkcePrefix)
  return auth.transact(async (tx) => {
    const verified = await verifyProof(auth, tx, proof)
    if (verified === 'other address must confirm') return messageRedirect(target, isPkce)
    if (!isPkce) return tokenRedirect(target, await beginSession(auth, tx, { user: verified.user, method: 'otp', call }), verified.type)
    const flow = await issueFlowCode(tx, flowIdOf(hash), auth.now())
    if (!flow) throw authError('flow_state_not_found', { status: 400, message: 'No associated flow state found. No valid flow state found for user.' })
    return withParams(target, { query: { code: flow.code } })
  })
}

/**
 * `GET /verify`: uses a mailed link up and sends the browser back, with tokens in the fragment, a `code` in the query,
 * or what went wrong. Always 303 once the request names a token and a type.
 *
 * @see supabase/auth internal/api/verify.go, `verifyGet`
 */
export async function verifyLink(auth: Auth, call: Call): Promise<Response> {
  const [hash, type] = [call.query.get('token') ?? '', call.query.get('type') ?? '']
  if (type === '') throw invalidRequest('Verify requires a verification type')
  if (hash === '') throw invalidRequest('Verify requires a token or a token hash')
  const target = auth.redirects.choose(call.request)
  try {
    return redirect(await openLink(auth, call, { hash, type, target }))
  } catch (error) {
    const isExpected = error instanceof ServiceError
    if (!isExpected) auth.logger.error('verification failed', { requestId: call.context.requestId, error })
    return redirect(errorRedirect(target, isExpected ? error : authError('unexpected_failure'), hash.startsWith(pkcePrefix)))
  }
}

type VerifyParams = Record<'type' | 'token' | 'token_hash' | 'email' | 'phone' | 'redirect_to', string>

function readProof(given: VerifyParams): Proof | PhoneProof {
  if (given.type === '') throw invalidRequest('Verify requires a verification type')
  if ((given.token === '') === (given.token_hash === '')) throw invalidRequest('Verify requires either a token or a token hash')
  if (given.token_hash !== '') {
    if (given.email !== '' || given.phone !== '' || given.redirect_to !== '') throw invalidRequest('Only the token_hash and type should be provided')
    return { type: readVerifyType(given.type), hash: given.token_hash }
  }
  if ((given.email === '') === (given.phone === '')) throw invalidRequest('Only an email address or phone number should be provided on verify')
  if (given.phone !== '') {
    const phone = readPhone(given.phone)
    if (given.type !== 'sms' && given.type !== 'phone_change') throw authError('otp_expired')
    return { type: given.type, phone, code: given.token }
  }
  // A code that was texted is never shown with a mail address.
  if (given.type === 'sms' || given.type === 'phone_change') throw authError('otp_expired')
  return { type: readVerifyType(given.type), email: readEmail(given.email), code: given.token }
}

/**
 * `POST /verify`: a typed code with its address, or the hash of a link, for tokens. A PKCE link's hash works here too,
 * on any device: that is what a page with a button sends.
 *
 * @throws `otp_expired` (403) for a wrong, used, replaced or expired one alike; `over_request_rate_limit` (429) after many tries.
 */
export async function verifyCode(auth: Auth, call: Call): Promise<Response> {
  const proof = readProof(await readBody(call, verifyBody))
  const outcome = await countingTries(auth, proof, async () => {
    if ('phone' in proof && isCheckedByProvider(auth, proof.phone)) await requireApproval(auth, proof)
    return auth.transact(async (tx) => {
      const verified = 'phone' in proof ? { user: await verifyPhoneProof(auth, tx, proof) } : await verifyProof(auth, tx, proof)
      return verified === 'other address must confirm' ? verified : beginSession(auth, tx, { user: verified.user, method: 'otp', call })
    })
  })
  return outcome === 'other address must confirm' ? reply(call, { msg: firstAccepted, code: '200' }) : grantReply(call, outcome)
}
