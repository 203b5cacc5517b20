import type { Transaction } from '#database/database.ts'
import { json, sql, trusted } from '#database/sql.ts'

/** A provider that an administrator added. Moments as Postgres writes them. */
export interface CustomProvider {
  id: string
  kind: 'oauth2' | 'oidc'
  /** `custom:` and a name. */
  identifier: string
  name: string
  clientId: string
  clientSecret: string
  acceptableClientIds: string[]
  scopes: string[]
  pkceEnabled: boolean
  attributeMapping: Record<string, unknown>
  customClaims: string[]
  authorizationParams: Record<string, unknown>
  enabled: boolean
  emailOptional: boolean
  issuer: string | null
  discoveryUrl: string | null
  skipNonceCheck: boolean
  discovery: Record<string, unknown> | null
  authorizationUrl: string | null
  tokenUrl: string | null
  userinfoUrl: string | null
  jwksUri: string | null
  createdAt: string
  updatedAt: string
}

const columns = trusted(`
  p.id,
  p.provider_type as kind,
  p.identifier,
  p.name,
  p.client_id as "clientId",
  p.client_secret as "clientSecret",
  to_jsonb(p.acceptable_client_ids) as "acceptableClientIds",
  to_jsonb(p.scopes) as scopes,
  p.pkce_enabled as "pkceEnabled",
  p.attribute_mapping as "attributeMapping",
  to_jsonb(p.custom_claims_allowlist) as "customClaims",
  p.authorization_params as "authorizationParams",
  p.enabled,
  p.email_optional as "emailOptional",
  p.issuer,
  p.discovery_url as "discoveryUrl",
  p.skip_nonce_check as "skipNonceCheck",
  p.cached_discovery as discovery,
  p.authorization_url as "authorizationUrl",
  p.token_url as "tokenUrl",
  p.userinfo_url as "userinfoUrl",
  p.jwks_uri as "jwksUri",
  p.created_at as "createdAt",
  p.updated_at as "updatedAt"`)

export const findCustomProvider = (tx: Transaction, identifier: string): Promise<CustomProvider | undefined> =>
  tx.maybeOne<CustomProvider>(sql`select ${columns} from auth.custom_oauth_providers p where p.identifier = ${identifier}`)

/** Newest first. */
export const listCustomProviders = (tx: Transaction, kind: string): Promise<CustomProvider[]> =>
  tx.many<CustomProvider>(sql`
    select ${columns}
    from auth.custom_oauth_providers p
    where ${kind} = '' or p.provider_type = ${kind}
    order by p.created_at desc, p.id`)

export async function countCustomProviders(tx: Transaction): Promise<number> {
  const { total } = await tx.one<{ total: string }>(sql`select count(*) as total from auth.custom_oauth_providers`)
  return Number(total)
}

export const insertCustomProvider = (tx: Transaction, one: CustomProvider, at: Date): Promise<number> =>
  tx.execute(sql`
    insert into auth.custom_oauth_providers (
      id, provider_type, identifier, name, client_id, client_secret, acceptable_client_ids, scopes, pkce_enabled, attribute_mapping,
      custom_claims_allowlist, authorization_params, enabled, email_optional, issuer, discovery_url, skip_nonce_check, cached_discovery,
      discovery_cached_at, authorization_url, token_url, userinfo_url, jwks_uri, created_at, updated_at
    ) values (
      ${one.id}, ${one.kind}, ${one.identifier}, ${one.name}, ${one.clientId}, ${one.clientSecret}, ${one.acceptableClientIds}::text[],
      ${one.scopes}::text[], ${one.pkceEnabled}, ${json(one.attributeMapping)}, ${one.customClaims}::text[], ${json(one.authorizationParams)},
      ${one.enabled}, ${one.emailOptional}, ${one.issuer}, ${one.discoveryUrl}, ${one.skipNonceCheck},
      ${one.discovery === null ? null : json(one.discovery)}, ${one.discovery === null ? null : at}, ${one.authorizationUrl}, ${one.tokenUrl},
      ${one.userinfoUrl}, ${one.jwksUri}, ${at}, ${at}
    )`)

export const updateCustomProvider = (tx: Transaction, one: CustomProvider, at: Date): Promise<number> =>
  tx.execute(sql`
    update auth.custom_oauth_providers
    set name = ${one.name}, client_id = ${one.clientId}, client_secret = ${one.clientSecret},
      acceptable_client_ids = ${one.acceptableClientIds}::text[], scopes = ${one.scopes}::text[], pkce_enabled = ${one.pkceEnabled},
      attribute_mapping = ${json(one.attributeMapping)}, custom_claims_allowlist = ${one.customClaims}::text[],
      authorization_params = ${json(one.authorizationParams)}, enabled = ${one.enabled}, email_optional = ${one.emailOptional},
      issuer = ${one.issuer}, discovery_url = ${one.discoveryUrl}, skip_nonce_check = ${one.skipNonceCheck},
      cached_discovery = ${one.discovery === null ? null : json(one.discovery)}, authorization_url = ${one.authorizationUrl},
      token_url = ${one.tokenUrl}, userinfo_url = ${one.userinfoUrl}, jwks_uri = ${one.jwksUri}, updated_at = ${at}
    where id = ${one.id}`)

export const deleteCustomProvider = (tx: Transaction, id: string): Promise<number> =>
  tx.execute(sql`delete from auth.custom_oauth_providers where id = ${id}`)
