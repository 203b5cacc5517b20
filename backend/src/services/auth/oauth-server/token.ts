import { ServiceError } from '#contract/service-error.ts'
import type { Auth } from '#services/auth/auth.ts'
import { parseBody, readText, reply, type Call } from '#services/auth/call.ts'
import { oauthError } from '#services/auth/errors.ts'
import { tradeRefreshToken } from '#services/auth/refresh-grant.ts'
import { grantHeaders, type Grant } from '#services/auth/sessions.ts'

import { requireClientProof } from './client-authentication.ts'
import { tradeCode } from './code-grant.ts'
import { inBothDialects, tokenFailure } from './token-failure.ts'
import { tokenBody, type TokenRequest } from './wire.ts'

async function readTokenRequest(call: Call): Promise<TokenRequest> {
  const text = await readText(call.request)
  const isJson = (call.request.headers.get('content-type') ?? '').includes('application/json')
  if (!isJson) return tokenBody.parse(Object.fromEntries([...new URLSearchParams(text)].toReversed()))
  try {
    return parseBody(text, tokenBody)
  } catch {
    throw tokenFailure('invalid_credentials', 'Invalid client credentials: failed to parse JSON body')
  }
}

const tokenReply = (call: Call, grant: Grant, idToken?: string): Response =>
  reply(
    call,
    {
      access_token: grant.accessToken,
      token_type: 'bearer',
      expires_in: grant.expiresIn,
      refresh_token: grant.refreshToken,
      ...(idToken === undefined ? {} : { id_token: idToken }),
    },
    { headers: { ...grantHeaders(grant), pragma: 'no-cache' } },
  )

async function answer(auth: Auth, call: Call): Promise<Response> {
  const given = await readTokenRequest(call)
  const client = await requireClientProof(auth, call.request.headers.get('authorization') ?? '', given)
  const { grant_type: grantType } = given
  if (grantType === '') throw oauthError('invalid_request', 'grant_type is required')
  if (!client.grantTypes.includes(grantType)) throw oauthError('unsupported_grant_type', `Client is not allowed to use grant type: ${grantType}`)
  if (grantType === 'authorization_code') {
    const { grant, idToken } = await tradeCode(auth, { call, client, given })
    return tokenReply(call, grant, idToken)
  }
  if (given.refresh_token === '') throw oauthError('invalid_request', 'refresh_token is required for refresh_token grant')
  const { grant } = await tradeRefreshToken(auth, { given: given.refresh_token, clientId: client.id, call })
  return tokenReply(call, grant)
}

/**
 * `POST /oauth/token`: a code or a refresh token for tokens. The body is a form or JSON.
 *
 * @throws `invalid_credentials` (400) for a client that does not prove itself; as OAuth errors (400) `invalid_request`,
 * `invalid_grant`, `invalid_client`, `unsupported_grant_type`, `access_denied`; for a refresh token, as `tradeRefreshToken`.
 * @see supabase/auth internal/api/oauthserver/handlers.go, `OAuthToken`
 */
export async function answerToken(auth: Auth, call: Call): Promise<Response> {
  try {
    return await answer(auth, call)
  } catch (error) {
    throw error instanceof ServiceError ? inBothDialects(error) : error
  }
}
