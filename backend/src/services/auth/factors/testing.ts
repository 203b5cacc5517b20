import type { SupabaseClient } from '@supabase/supabase-js'
import { signUpPerson, type TestAuth } from '#services/auth/open-test-auth.ts'

import { totpCode, totpStep } from './totp.ts'

/** What an authenticator app holding a key shows at the box's time, or so many steps later. */
export const appCode = (auth: TestAuth, secret: string, later = 0): string => totpCode(secret, totpStep(auth.clock.now()) + later)

export interface TotpPerson {
  client: SupabaseClient
  email: string
  userId: string
  factorId: string
  secret: string
}

/** A person with a verified authenticator app, in a session at aal2. The clock is moved past the code they used. */
export async function enrollPerson(auth: TestAuth, friendlyName = 'app'): Promise<TotpPerson> {
  const { client, email, user } = await signUpPerson(auth)
  const { data, error } = await client.auth.mfa.enroll({ factorType: 'totp', friendlyName })
  if (error) throw error
  const { error: refused } = await client.auth.mfa.challengeAndVerify({ factorId: data.id, code: appCode(auth, data.totp.secret) })
  if (refused) throw refused
  auth.clock.advance(60)
  return { client, email, userId: user.id, factorId: data.id, secret: data.totp.secret }
}

/** A request as somebody signed in, without the official client. */
export async function askAs(auth: TestAuth, client: SupabaseClient, asked: { path: string; method?: string; body?: unknown; ip?: string }) {
  const { data } = await client.auth.getSession()
  const { path, method = 'POST', body, ip } = asked
  const answer = await auth.ask(path, {
    method,
    headers: { authorization: `Bearer ${data.session?.access_token}` },
    ...(body === undefined ? {} : { body }),
    ...(ip === undefined ? {} : { ip }),
  })
  const text = await answer.text()
  return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as { code?: string; message?: string; id?: string } & Record<string, unknown> }
}
