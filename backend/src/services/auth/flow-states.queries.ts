import type { Transaction } from '#database/database.ts'
import { sql } from '#database/sql.ts'

import type { PkceChallenge } from './pkce.ts'

/** A sign-in that ends in a `?code=` the same client trades for tokens. */
export interface FlowState {
  id: string
  userId: string | null
  codeChallenge: string
  codeChallengeMethod: PkceChallenge['method']
  providerType: string
  authenticationMethod: string
  providerAccessToken: string | null
  providerRefreshToken: string | null
  /** Null until the code is handed out. */
  authCodeIssuedAt: string | null
}

export interface NewFlowState {
  id: string
  userId: string
  code: string
  challenge: PkceChallenge
  providerType: string
  authenticationMethod: string
  at: Date
}

/** Begins a flow. The same id again, for the same mailed link, changes nothing. */
export const insertFlowState = (tx: Transaction, flow: NewFlowState): Promise<number> =>
  tx.execute(sql`
    insert into auth.flow_state (
      id, user_id, auth_code, code_challenge, code_challenge_method, provider_type, authentication_method, created_at, updated_at
    ) values (
      ${flow.id}, ${flow.userId}, ${flow.code}, ${flow.challenge.challenge}, ${flow.challenge.method},
      ${flow.providerType}, ${flow.authenticationMethod}, ${flow.at}, ${flow.at}
    )
    on conflict (id) do nothing`)

/** Hands the code of a flow out, once: its life counts from now. Gives the code. */
export const issueFlowCode = (tx: Transaction, id: string, at: Date): Promise<{ code: string } | undefined> =>
  tx.maybeOne(sql`
    update auth.flow_state
    set auth_code_issued_at = ${at}, updated_at = ${at}
    where id = ${id} and auth_code_issued_at is null
    returning auth_code as code`)

/** The flow a code belongs to, kept from being traded twice at once until this transaction ends. */
export const lockFlowByCode = (tx: Transaction, code: string): Promise<FlowState | undefined> =>
  tx.maybeOne<FlowState>(sql`
    select
      f.id,
      f.user_id as "userId",
      f.code_challenge as "codeChallenge",
      f.code_challenge_method::text as "codeChallengeMethod",
      f.provider_type as "providerType",
      f.authentication_method as "authenticationMethod",
      f.provider_access_token as "providerAccessToken",
      f.provider_refresh_token as "providerRefreshToken",
      f.auth_code_issued_at as "authCodeIssuedAt"
    from auth.flow_state f
    where f.auth_code = ${code} and f.auth_code_issued_at is not null
    limit 1
    for update`)

export const deleteFlowState = (tx: Transaction, id: string): Promise<number> =>
  tx.execute(sql`delete from auth.flow_state where id = ${id}`)
