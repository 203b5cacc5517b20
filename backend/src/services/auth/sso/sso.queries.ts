import type { Transaction } from '#database/database.ts'
import { json, sql, trusted, type Sql } from '#database/sql.ts'

import type { PkceChallenge } from '#services/auth/pkce.ts'

import type { AttributeMapping } from './assertion.ts'

/** An identity provider people of some domains sign in at. Moments as Postgres writes them. */
export interface SsoProvider {
  id: string
  resourceId: string | null
  isDisabled: boolean | null
  createdAt: string
  updatedAt: string
  domains: readonly { domain: string; created_at: string; updated_at: string }[]
  entityId: string
  metadataXml: string
  metadataUrl: string | null
  mapping: AttributeMapping
  nameIdFormat: string | null
  metadataAt: string
}

const providerColumns = trusted(`
  p.id,
  p.resource_id as "resourceId",
  p.disabled as "isDisabled",
  coalesce(p.created_at, 'epoch') as "createdAt",
  coalesce(p.updated_at, 'epoch') as "updatedAt",
  (
    select coalesce(jsonb_agg(jsonb_build_object('domain', d.domain, 'created_at', d.created_at, 'updated_at', d.updated_at) order by d.created_at, d.domain), '[]')
    from auth.sso_domains d
    where d.sso_provider_id = p.id
  ) as domains,
  s.entity_id as "entityId",
  s.metadata_xml as "metadataXml",
  s.metadata_url as "metadataUrl",
  coalesce(s.attribute_mapping, '{}') as mapping,
  s.name_id_format as "nameIdFormat",
  coalesce(s.updated_at, 'epoch') as "metadataAt"`)

const findProvider = (tx: Transaction, where: Sql): Promise<SsoProvider | undefined> =>
  tx.maybeOne<SsoProvider>(sql`select ${providerColumns} from auth.sso_providers p join auth.saml_providers s on s.sso_provider_id = p.id where ${where}`)

export const findProviderById = (tx: Transaction, id: string): Promise<SsoProvider | undefined> => findProvider(tx, sql`p.id = ${id}`)

export const findProviderByResource = (tx: Transaction, id: string): Promise<SsoProvider | undefined> => findProvider(tx, sql`p.resource_id = ${id}`)

export const findProviderByEntity = (tx: Transaction, entityId: string): Promise<SsoProvider | undefined> => findProvider(tx, sql`s.entity_id = ${entityId}`)

export const findProviderByDomain = (tx: Transaction, domain: string): Promise<SsoProvider | undefined> =>
  findProvider(tx, sql`p.id = (select d.sso_provider_id from auth.sso_domains d where lower(d.domain) = lower(${domain}))`)

/** @param filter.resourcePrefix matched as it is, not as a pattern. */
export const listProviders = (tx: Transaction, filter: { resourceId: string; resourcePrefix: string }): Promise<SsoProvider[]> =>
  tx.many<SsoProvider>(sql`
    select ${providerColumns}
    from auth.sso_providers p
    join auth.saml_providers s on s.sso_provider_id = p.id
    where (${filter.resourceId} = '' or p.resource_id = ${filter.resourceId})
      and (${filter.resourceId} <> '' or ${filter.resourcePrefix} = '' or starts_with(p.resource_id, ${filter.resourcePrefix}))
    order by p.created_at, p.id`)

export interface NewSsoProvider {
  id: string
  samlId: string
  resourceId: string | null
  isDisabled: boolean | null
  entityId: string
  metadataXml: string
  metadataUrl: string | null
  mapping: AttributeMapping
  nameIdFormat: string | null
  at: Date
}

export async function insertProvider(tx: Transaction, provider: NewSsoProvider): Promise<void> {
  const { id, at } = provider
  await tx.execute(sql`
    insert into auth.sso_providers (id, resource_id, disabled, created_at, updated_at)
    values (${id}, ${provider.resourceId}, ${provider.isDisabled}, ${at}, ${at})`)
  await tx.execute(sql`
    insert into auth.saml_providers (id, sso_provider_id, entity_id, metadata_xml, metadata_url, attribute_mapping, name_id_format, created_at, updated_at)
    values (${provider.samlId}, ${id}, ${provider.entityId}, ${provider.metadataXml}, ${provider.metadataUrl}, ${json(provider.mapping)}, ${provider.nameIdFormat}, ${at}, ${at})`)
}

export async function updateProvider(tx: Transaction, provider: Omit<NewSsoProvider, 'samlId' | 'entityId'>): Promise<void> {
  const { id, at } = provider
  await tx.execute(sql`
    update auth.sso_providers
    set resource_id = ${provider.resourceId}, disabled = ${provider.isDisabled}, updated_at = ${at}
    where id = ${id}`)
  await tx.execute(sql`
    update auth.saml_providers
    set metadata_xml = ${provider.metadataXml}, metadata_url = ${provider.metadataUrl}, attribute_mapping = ${json(provider.mapping)},
      name_id_format = ${provider.nameIdFormat}, updated_at = ${at}
    where sso_provider_id = ${id}`)
}

/** Keeps metadata that was fetched again. */
export const refreshMetadata = (tx: Transaction, provider: { id: string; metadataXml: string; at: Date }): Promise<number> =>
  tx.execute(sql`update auth.saml_providers set metadata_xml = ${provider.metadataXml}, updated_at = ${provider.at} where sso_provider_id = ${provider.id}`)

export const deleteProvider = (tx: Transaction, id: string): Promise<number> => tx.execute(sql`delete from auth.sso_providers where id = ${id}`)

export const insertDomain = (tx: Transaction, domain: { id: string; providerId: string; domain: string; at: Date }): Promise<number> =>
  tx.execute(sql`
    insert into auth.sso_domains (id, sso_provider_id, domain, created_at, updated_at)
    values (${domain.id}, ${domain.providerId}, ${domain.domain}, ${domain.at}, ${domain.at})`)

export const deleteDomain = (tx: Transaction, providerId: string, domain: string): Promise<number> =>
  tx.execute(sql`delete from auth.sso_domains where sso_provider_id = ${providerId} and domain = ${domain}`)

/** A person on the way to their identity provider and back. */
export interface NewVisit {
  relayStateId: string
  flowId: string
  providerId: string
  requestId: string
  redirectTo: string
  code: string
  challenge: PkceChallenge | undefined
  at: Date
}

export async function insertVisit(tx: Transaction, visit: NewVisit): Promise<void> {
  const { at, challenge } = visit
  await tx.execute(sql`
    insert into auth.flow_state (id, auth_code, code_challenge, code_challenge_method, provider_type, authentication_method, referrer, created_at, updated_at)
    values (${visit.flowId}, ${challenge ? visit.code : null}, ${challenge?.challenge ?? null}, ${challenge?.method ?? null}, 'sso/saml', 'sso/saml', ${visit.redirectTo}, ${at}, ${at})`)
  await tx.execute(sql`
    insert into auth.saml_relay_states (id, sso_provider_id, request_id, redirect_to, flow_state_id, created_at, updated_at)
    values (${visit.relayStateId}, ${visit.providerId}, ${visit.requestId}, ${visit.redirectTo}, ${visit.flowId}, ${at}, ${at})`)
}

export interface Visit {
  providerId: string
  requestId: string
  redirectTo: string
  createdAt: string
  flowId: string | null
  /** What the client trades at the end; null where it wants its tokens in the fragment. */
  code: string | null
}

/** Takes a visit, once. */
export const takeVisit = (tx: Transaction, id: string): Promise<Visit | undefined> =>
  tx.maybeOne<Visit>(sql`
    with taken as (
      delete from auth.saml_relay_states
      where id = ${id}
      returning sso_provider_id, request_id, redirect_to, created_at, flow_state_id
    )
    select
      t.sso_provider_id as "providerId",
      t.request_id as "requestId",
      coalesce(t.redirect_to, '') as "redirectTo",
      coalesce(t.created_at, 'epoch') as "createdAt",
      t.flow_state_id as "flowId",
      case when f.code_challenge is null then null else f.auth_code end as code
    from taken t
    left join auth.flow_state f on f.id = t.flow_state_id`)

/** Says who came back. Only the first one counts. */
export const completeVisit = (tx: Transaction, flow: { id: string; userId: string; at: Date }): Promise<number> =>
  tx.execute(sql`
    update auth.flow_state
    set user_id = ${flow.userId}, auth_code_issued_at = ${flow.at}, updated_at = ${flow.at}
    where id = ${flow.id} and user_id is null`)

/** Ends a session when the identity provider wants it to. */
export const limitSession = (tx: Transaction, id: string, notAfter: Date): Promise<number> =>
  tx.execute(sql`update auth.sessions set not_after = ${notAfter} where id = ${id}`)
