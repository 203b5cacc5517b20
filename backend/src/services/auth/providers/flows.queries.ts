import type { Transaction } from '#database/database.ts'
import { sql, trusted } from '#database/sql.ts'

import type { PkceChallenge } from '#services/auth/pkce.ts'

/** A visit to a provider that has begun. Its id travels as `state`. */
export interface ProviderFlow {
  id: string
  /** Who came back; null until then. */
  userId: string | null
  /** What the client trades at the end; null where it wants its tokens in the fragment. */
  code: string | null
  provider: string
  createdAt: string
  inviteToken: string | null
  /** Where the browser goes at the end. */
  redirectTo: string | null
  /** The row that holds this visit's verifier, gone once somebody has come back. */
  clientStateId: string | null
  /** Whose account the identity is to be linked to; null for a sign-in. */
  linkingTargetId: string | null
  emailOptional: boolean
}

const flowColumns = trusted(`
  f.id,
  f.user_id as "userId",
  case when f.code_challenge is null then null else f.auth_code end as code,
  f.provider_type as provider,
  coalesce(f.created_at, 'epoch') as "createdAt",
  f.invite_token as "inviteToken",
  f.referrer as "redirectTo",
  f.oauth_client_state_id as "clientStateId",
  f.linking_target_id as "linkingTargetId",
  f.email_optional as "emailOptional"`)

export interface NewProviderFlow {
  id: string
  code: string
  challenge: PkceChallenge | undefined
  provider: string
  inviteToken: string
  redirectTo: string
  clientStateId: string
  linkingTargetId: string | null
  emailOptional: boolean
  at: Date
}

export const insertProviderFlow = (tx: Transaction, flow: NewProviderFlow): Promise<number> =>
  tx.execute(sql`
    insert into auth.flow_state (
      id, auth_code, code_challenge, code_challenge_method, provider_type, authentication_method, invite_token, referrer,
      oauth_client_state_id, linking_target_id, email_optional, created_at, updated_at
    ) values (
      ${flow.id}, ${flow.challenge ? flow.code : null}, ${flow.challenge?.challenge ?? null}, ${flow.challenge?.method ?? null},
      ${flow.provider}, 'oauth', ${flow.inviteToken === '' ? null : flow.inviteToken}, ${flow.redirectTo},
      ${flow.clientStateId}, ${flow.linkingTargetId}, ${flow.emailOptional}, ${flow.at}, ${flow.at}
    )`)

export const findProviderFlow = (tx: Transaction, id: string): Promise<ProviderFlow | undefined> =>
  tx.maybeOne<ProviderFlow>(sql`select ${flowColumns} from auth.flow_state f where f.id = ${id} and f.authentication_method = 'oauth'`)

/** Says who came back, and keeps the provider's tokens for whoever trades the code. Only the first one counts. */
export const completeProviderFlow = (
  tx: Transaction,
  flow: { id: string; userId: string; accessToken: string; refreshToken: string; at: Date },
): Promise<number> =>
  tx.execute(sql`
    update auth.flow_state
    set user_id = ${flow.userId}, provider_access_token = ${flow.accessToken}, provider_refresh_token = ${flow.refreshToken},
      auth_code_issued_at = ${flow.at}, updated_at = ${flow.at}
    where id = ${flow.id} and user_id is null`)

/** Keeps the secret of a visit: its PKCE verifier. */
export const insertClientState = (tx: Transaction, state: { id: string; provider: string; verifier: string; at: Date }): Promise<number> =>
  tx.execute(sql`
    insert into auth.oauth_client_states (id, provider_type, code_verifier, created_at)
    values (${state.id}, ${state.provider}, ${state.verifier}, ${state.at})`)

/** Takes the secret of a visit, once. */
export const takeClientState = (tx: Transaction, id: string): Promise<{ provider: string; verifier: string; createdAt: string } | undefined> =>
  tx.maybeOne(sql`
    delete from auth.oauth_client_states
    where id = ${id}
    returning provider_type as provider, coalesce(code_verifier, '') as verifier, created_at as "createdAt"`)
