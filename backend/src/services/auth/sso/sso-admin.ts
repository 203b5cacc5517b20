import { z } from 'zod'

import { DatabaseError } from '#database/database-error.ts'
import type { Transaction } from '#database/database.ts'

import type { Auth } from '#services/auth/auth.ts'
import { readBody, reply, type Call } from '#services/auth/call.ts'
import { requireAdmin } from '#services/auth/caller.ts'
import { isUuid } from '#services/auth/codes.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import { isoMoment } from '#services/auth/moments.ts'

import type { AttributeMapping } from './assertion.ts'
import { readIdpMetadata } from './idp-metadata.ts'
import { fetchMetadata } from './metadata-fetch.ts'
import { requireSaml } from './saml-switch.ts'
import {
  deleteDomain, deleteProvider, findProviderByDomain, findProviderByEntity, findProviderById, findProviderByResource, insertDomain, insertProvider, listProviders,
  updateProvider, type SsoProvider,
} from './sso.queries.ts'

const text = z.string().nullish().transform((given) => given ?? '')
const mapped = z.object({
  name: z.string().optional(),
  names: z.array(z.string()).optional(),
  default: z.unknown().optional(),
  array: z.boolean().optional(),
})
const providerBody = z.object({
  type: text,
  metadata_url: text,
  metadata_xml: text,
  domains: z.array(z.string()).nullish(),
  attribute_mapping: z.object({ keys: z.record(z.string(), mapped).optional() }).nullish(),
  name_id_format: text,
  resource_id: z.string().nullish(),
  disabled: z.boolean().nullish(),
})
type Given = z.output<typeof providerBody>

const nameIdFormats = [
  'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress',
  'urn:oasis:names:tc:SAML:2.0:nameid-format:transient',
  'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified',
]

function requireSense({ type, metadata_url: url, metadata_xml: xml, name_id_format: format }: Given, isUpdate: boolean): void {
  if (!isUpdate && type !== 'saml') throw invalidRequest("Only 'saml' supported for SSO provider type")
  if (url !== '' && xml !== '') throw invalidRequest('Only one of metadata_xml or metadata_url needs to be set')
  if (!isUpdate && url === '' && xml === '') throw invalidRequest('Either metadata_xml or metadata_url must be set')
  if (url !== '' && !URL.canParse(url)) throw invalidRequest('metadata_url is not a valid URL')
  if (url !== '' && new URL(url).protocol !== 'https:') throw invalidRequest('metadata_url is not a HTTPS URL')
  if (format !== '' && !nameIdFormats.includes(format)) throw invalidRequest(`name_id_format must be unspecified or one of ${nameIdFormats.join(', ')}`)
}

const metadataOf = (auth: Auth, { metadata_url: url, metadata_xml: xml }: Given): Promise<string> => (xml === '' ? fetchMetadata(auth, url) : Promise.resolve(xml))

function providerReply(provider: SsoProvider, { withMetadata = true } = {}): Record<string, unknown> {
  return {
    id: provider.id,
    ...(provider.resourceId === null ? {} : { resource_id: provider.resourceId }),
    disabled: provider.isDisabled,
    saml: {
      entity_id: provider.entityId,
      ...(withMetadata ? { metadata_xml: provider.metadataXml } : {}),
      ...(provider.metadataUrl === null ? {} : { metadata_url: provider.metadataUrl }),
      attribute_mapping: provider.mapping,
      ...(provider.nameIdFormat === null ? {} : { name_id_format: provider.nameIdFormat }),
    },
    domains: provider.domains.map((one) => ({ domain: one.domain, created_at: isoMoment(one.created_at), updated_at: isoMoment(one.updated_at) })),
    created_at: isoMoment(provider.createdAt),
    updated_at: isoMoment(provider.updatedAt),
  }
}

const notFound = () => authError('sso_provider_not_found', { message: 'SSO Identity Provider not found' })

async function requireProvider(tx: Transaction, named: string): Promise<SsoProvider> {
  const provider = named.startsWith('resource_') ? await findProviderByResource(tx, named.slice('resource_'.length)) : isUuid(named) ? await findProviderById(tx, named) : undefined
  if (!provider) throw notFound()
  return provider
}

async function begin(auth: Auth, call: Call): Promise<void> {
  await requireAdmin(auth, call)
  requireSaml(auth)
}

async function addDomains(auth: Auth, tx: Transaction, { provider, domains }: { provider: SsoProvider; domains: readonly string[] }): Promise<void> {
  for (const domain of new Set(domains)) {
    const owner = await findProviderByDomain(tx, domain)
    if (owner?.id === provider.id) continue
    if (owner) throw authError('sso_domain_already_exists', { message: `SSO Domain '${domain}' is already assigned to an SSO identity provider (${owner.id})` })
    if (domain === '') throw invalidRequest('A domain is empty')
    await insertDomain(tx, { id: auth.random.uuid(), providerId: provider.id, domain, at: auth.now() })
  }
}

const asConflict = (error: unknown): unknown =>
  error instanceof DatabaseError ? authError('conflict', { status: 422, message: 'Updating SSO provider failed, likely due to a conflict. Try again?', cause: error }) : error

/** `GET /admin/sso/providers`. */
export async function listSsoProviders(auth: Auth, call: Call): Promise<Response> {
  await begin(auth, call)
  const filter = { resourceId: call.query.get('resource_id') ?? '', resourcePrefix: call.query.get('resource_id_prefix') ?? '' }
  const found = await auth.transact((tx) => listProviders(tx, filter), { readOnly: true })
  return reply(call, { items: found.map((provider) => providerReply(provider, { withMetadata: false })) })
}

/**
 * `POST /admin/sso/providers`: connects an identity provider.
 *
 * @throws `validation_failed`, `sso_domain_already_exists`, `saml_metadata_fetch_failed` (400), `saml_idp_already_exists` (422).
 * @see supabase/auth internal/api/ssoadmin.go
 */
export async function createSsoProvider(auth: Auth, call: Call): Promise<Response> {
  await begin(auth, call)
  const given = await readBody(call, providerBody)
  requireSense(given, false)
  const metadataXml = await metadataOf(auth, given)
  const { entityId } = readIdpMetadata(metadataXml)
  const id = auth.random.uuid()
  const created = await auth.transact(async (tx) => {
    if (await findProviderByEntity(tx, entityId)) {
      throw authError('saml_idp_already_exists', { message: `SAML Identity Provider with this EntityID (${entityId}) already exists` })
    }
    await insertProvider(tx, {
      id,
      samlId: auth.random.uuid(),
      entityId,
      metadataXml,
      metadataUrl: given.metadata_url || null,
      resourceId: given.resource_id || null,
      isDisabled: given.disabled ?? null,
      mapping: (given.attribute_mapping ?? {}) as AttributeMapping,
      nameIdFormat: given.name_id_format || null,
      at: auth.now(),
    })
    await addDomains(auth, tx, { provider: await requireProvider(tx, id), domains: given.domains ?? [] })
    return requireProvider(tx, id)
  })
  return reply(call, providerReply(created), { status: 201 })
}

/** `GET /admin/sso/providers/{idp_id}`: by id, or by `resource_…`. */
export async function getSsoProvider(auth: Auth, call: Call): Promise<Response> {
  await begin(auth, call)
  return reply(call, providerReply(await auth.transact((tx) => requireProvider(tx, call.params.idp_id ?? ''), { readOnly: true })))
}

/** `PUT /admin/sso/providers/{idp_id}`: what is left out stays; a name format left out is taken away, as upstream does. */
export async function updateSsoProvider(auth: Auth, call: Call): Promise<Response> {
  await begin(auth, call)
  const given = await readBody(call, providerBody)
  requireSense(given, true)
  const hasMetadata = given.metadata_url !== '' || given.metadata_xml !== ''
  const metadataXml = hasMetadata ? await metadataOf(auth, given) : undefined
  const update = async (tx: Transaction): Promise<SsoProvider> => {
    const known = await requireProvider(tx, call.params.idp_id ?? '')
    const entityId = metadataXml === undefined ? known.entityId : readIdpMetadata(metadataXml).entityId
    if (entityId !== known.entityId) {
      throw authError('saml_entity_id_mismatch', { message: `SAML Metadata can be updated only if the EntityID matches for the provider; expected '${known.entityId}' but got '${entityId}'` })
    }
    await updateProvider(tx, {
      id: known.id,
      metadataXml: metadataXml ?? known.metadataXml,
      metadataUrl: given.metadata_url || known.metadataUrl,
      resourceId: given.resource_id === undefined || given.resource_id === null ? known.resourceId : given.resource_id || null,
      isDisabled: given.disabled ?? known.isDisabled,
      mapping: given.attribute_mapping?.keys ? (given.attribute_mapping as AttributeMapping) : known.mapping,
      nameIdFormat: given.name_id_format || null,
      at: auth.now(),
    })
    if (given.domains) {
      await addDomains(auth, tx, { provider: known, domains: given.domains })
      for (const { domain } of known.domains) if (!given.domains.includes(domain)) await deleteDomain(tx, known.id, domain)
    }
    return requireProvider(tx, known.id)
  }
  const updated = await auth.transact(update).catch((error: unknown) => {
    throw asConflict(error)
  })
  return reply(call, providerReply(updated))
}

/** `DELETE /admin/sso/providers/{idp_id}`: its people stay, and can no longer sign in there. */
export async function deleteSsoProvider(auth: Auth, call: Call): Promise<Response> {
  await begin(auth, call)
  const deleted = await auth.transact(async (tx) => {
    const known = await requireProvider(tx, call.params.idp_id ?? '')
    await deleteProvider(tx, known.id)
    return known
  })
  return reply(call, providerReply(deleted))
}
