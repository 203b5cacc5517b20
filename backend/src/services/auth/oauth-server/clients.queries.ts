import type { Transaction } from '#database/database.ts'
import { identifier, join, sql, trusted } from '#database/sql.ts'

export type AuthMethod = 'none' | 'client_secret_basic' | 'client_secret_post'
export type ClientType = 'public' | 'confidential'

/** An application that may ask people to sign in with this project. Moments as Postgres writes them. */
export interface OAuthClient {
  id: string
  /** Base64url of SHA-256; null for a public client. */
  secretHash: string | null
  registrationType: 'dynamic' | 'manual'
  clientType: ClientType
  tokenEndpointAuthMethod: AuthMethod
  redirectUris: string[]
  grantTypes: string[]
  name: string | null
  uri: string | null
  logoUri: string | null
  createdAt: string
  updatedAt: string
}

const clientColumns = trusted(`
  c.id,
  nullif(c.client_secret_hash, '') as "secretHash",
  c.registration_type as "registrationType",
  c.client_type as "clientType",
  c.token_endpoint_auth_method as "tokenEndpointAuthMethod",
  to_jsonb(string_to_array(c.redirect_uris, ',')) as "redirectUris",
  to_jsonb(string_to_array(c.grant_types, ',')) as "grantTypes",
  c.client_name as name,
  c.client_uri as uri,
  c.logo_uri as "logoUri",
  c.created_at as "createdAt",
  c.updated_at as "updatedAt"`)

/** A client that is not deleted. */
export const findClient = (tx: Transaction, id: string): Promise<OAuthClient | undefined> =>
  tx.maybeOne<OAuthClient>(sql`select ${clientColumns} from auth.oauth_clients c where c.id = ${id} and c.deleted_at is null`)

/** Every client that is not deleted, the newest first. */
export const listClients = (tx: Transaction): Promise<OAuthClient[]> =>
  tx.many<OAuthClient>(sql`select ${clientColumns} from auth.oauth_clients c where c.deleted_at is null order by c.created_at desc, c.id`)

/** What is known of a client when its row is made. */
export type NewClient = Omit<OAuthClient, 'createdAt' | 'updatedAt'> & { at: Date }

export const insertClient = (tx: Transaction, client: NewClient): Promise<number> =>
  tx.execute(sql`
    insert into auth.oauth_clients (
      id, client_secret_hash, registration_type, client_type, token_endpoint_auth_method, redirect_uris, grant_types,
      client_name, client_uri, logo_uri, created_at, updated_at
    ) values (
      ${client.id}, ${client.secretHash ?? ''}, ${client.registrationType}, ${client.clientType}, ${client.tokenEndpointAuthMethod},
      ${client.redirectUris.join(',')}, ${client.grantTypes.join(',')}, ${client.name}, ${client.uri}, ${client.logoUri}, ${client.at}, ${client.at}
    )`)

/** Columns of a client that change, by their name in the table. */
export interface ClientChanges {
  client_secret_hash?: string
  token_endpoint_auth_method?: AuthMethod
  redirect_uris?: string
  grant_types?: string
  client_name?: string
  client_uri?: string
  logo_uri?: string
  deleted_at?: Date
}

/** Writes the given columns and no others. */
export function updateClient(tx: Transaction, id: string, { at, ...changes }: ClientChanges & { at: Date }): Promise<number> {
  const assignments = Object.entries(changes).map(([column, value]) => sql`${identifier(column)} = ${value as string | Date}`)
  return tx.execute(sql`update auth.oauth_clients set ${join([...assignments, sql`updated_at = ${at}`])} where id = ${id}`)
}

/** Ends what a client was given: its sessions, and the requests it has not finished. */
export async function endAccessOfClient(tx: Transaction, id: string): Promise<void> {
  await tx.execute(sql`delete from auth.sessions where oauth_client_id = ${id}`)
  await tx.execute(sql`delete from auth.oauth_authorizations where client_id = ${id}`)
}
