import type { Auth } from '#services/auth/auth.ts'
import { reply, type Call } from '#services/auth/call.ts'
import { requireSignedInOrClient } from '#services/auth/caller.ts'

import { userInfoBody } from './person-claims.ts'
import { readScopes } from './scopes.ts'

/** `GET /oauth/userinfo`: what the token's session may know of the person. A session no application has tells nothing but `sub`. */
export async function answerUserInfo(auth: Auth, call: Call): Promise<Response> {
  const { user, session } = await requireSignedInOrClient(auth, call)
  return reply(call, userInfoBody(user, readScopes(session?.scopes ?? '')), { headers: { 'cache-control': 'no-store' } })
}
