import type { Auth } from '#services/auth/auth.ts'
import { readBody, reply, type Call } from '#services/auth/call.ts'
import { requireAdmin } from '#services/auth/caller.ts'
import { isUuid } from '#services/auth/codes.ts'
import { authError, invalidRequest } from '#services/auth/errors.ts'
import { isoMoment } from '#services/auth/moments.ts'

import { hashClientSecret, makeClientSecret } from './client-secret.ts'
import {
  endAccessOfClient,
  findClient,
  insertClient,
  listClients,
  updateClient,
  type AuthMethod,
  type OAuthClient,
} from './clients.queries.ts'
import { requireServed } from './served.ts'
import { grantTypes, judgeRegistration, updateFault } from './registration-rules.ts'
import { clientUpdateBody, registrationBody, type Registration } from './wire.ts'

const optional = (name: string, value: string | null) => (value ? { [name]: value } : {})

/**
 * A client as the API answers it; its secret only when it has just been made.
 *
 * @see supabase/auth internal/api/oauthserver/handlers.go, `oauthServerClientToResponse`
 */
function clientBody(client: OAuthClient, secret?: string): Record<string, unknown> {
  return {
    client_id: client.id,
    ...(secret === undefined ? {} : { client_secret: secret }),
    client_type: client.clientType,
    redirect_uris: client.redirectUris,
    token_endpoint_auth_method: client.tokenEndpointAuthMethod,
    grant_types: client.grantTypes,
    response_types: ['code'],
    ...optional('client_name', client.name),
    ...optional('client_uri', client.uri),
    ...optional('logo_uri', client.logoUri),
    registration_type: client.registrationType,
    created_at: isoMoment(client.createdAt),
    updated_at: isoMoment(client.updatedAt),
  }
}

const keptSecret = { 'cache-control': 'no-store' }

async function register(auth: Auth, given: Registration, registrationType: OAuthClient['registrationType']) {
  const kind = judgeRegistration(given)
  // The number is part of the hosted backend's words.
  if ('fault' in kind) throw invalidRequest(`400: ${kind.fault}`)
  const secret = kind.type === 'confidential' ? makeClientSecret() : undefined
  const id = auth.random.uuid()
  const client = await auth.transact(async (tx) => {
    await insertClient(tx, {
      id,
      secretHash: secret === undefined ? null : hashClientSecret(secret),
      registrationType,
      clientType: kind.type,
      tokenEndpointAuthMethod: kind.method,
      redirectUris: given.redirect_uris,
      grantTypes: given.grant_types.length > 0 ? given.grant_types : [...grantTypes],
      name: given.client_name,
      uri: given.client_uri,
      logoUri: given.logo_uri,
      at: auth.now(),
    })
    return findClient(tx, id)
  })
  if (!client) throw authError('unexpected_failure')
  return { client, secret }
}

/**
 * `POST /oauth/clients/register`: an application registers itself (RFC 7591). 201.
 *
 * @throws `oauth_dynamic_client_registration_disabled` (403), `validation_failed` (400).
 */
export async function registerDynamically(auth: Auth, call: Call): Promise<Response> {
  if (!auth.settings.oauthServer.allowDynamicRegistration) throw authError('oauth_dynamic_client_registration_disabled')
  const { client, secret } = await register(auth, await readBody(call, registrationBody), 'dynamic')
  // The protocol wants an expiry beside every secret; it has none.
  const body = { ...clientBody(client, secret), ...(secret === undefined ? {} : { client_secret_expires_at: 0 }) }
  return reply(call, body, { status: 201, headers: keptSecret })
}

/** `POST /admin/oauth/clients`: an administrator registers an application. 201. @throws `validation_failed` (400). */
export async function createClient(auth: Auth, call: Call): Promise<Response> {
  await requireAdmin(auth, call)
  requireServed(auth)
  const { client, secret } = await register(auth, await readBody(call, registrationBody), 'manual')
  return reply(call, clientBody(client, secret), { status: 201, headers: keptSecret })
}

/** `GET /admin/oauth/clients`: every application, the newest first, on one page. */
export async function answerClients(auth: Auth, call: Call): Promise<Response> {
  await requireAdmin(auth, call)
  requireServed(auth)
  const clients = await auth.transact(listClients, { readOnly: true })
  return reply(call, { clients: clients.map((client) => clientBody(client)) }, { headers: { 'x-total-count': String(clients.length) } })
}

async function requireClient(auth: Auth, call: Call): Promise<OAuthClient> {
  await requireAdmin(auth, call)
  requireServed(auth)
  const id = call.params.client_id ?? ''
  if (!isUuid(id)) throw invalidRequest('invalid client_id format')
  const client = await auth.transact((tx) => findClient(tx, id), { readOnly: true })
  if (!client) throw authError('oauth_client_not_found')
  return client
}

/** `GET /admin/oauth/clients/{client_id}`. @throws `oauth_client_not_found` (404). */
export async function answerClient(auth: Auth, call: Call): Promise<Response> {
  return reply(call, clientBody(await requireClient(auth, call)))
}

async function change(auth: Auth, id: string, changes: Omit<Parameters<typeof updateClient>[2], 'at'>): Promise<OAuthClient> {
  const client = await auth.transact(async (tx) => {
    await updateClient(tx, id, { ...changes, at: auth.now() })
    return findClient(tx, id)
  })
  if (!client) throw authError('oauth_client_not_found')
  return client
}

/** `PUT /admin/oauth/clients/{client_id}`: changes the given members. @throws `oauth_client_not_found` (404), `validation_failed` (400). */
export async function changeClient(auth: Auth, call: Call): Promise<Response> {
  const client = await requireClient(auth, call)
  const given = await readBody(call, clientUpdateBody)
  if (Object.values(given).every((value) => value === undefined)) throw invalidRequest('No fields provided for update')
  const fault = updateFault(given, client.clientType)
  if (fault !== undefined) throw invalidRequest(fault)
  const { redirect_uris: uris, grant_types: grants, token_endpoint_auth_method: method, client_name, client_uri, logo_uri } = given
  const changes = {
    ...(uris ? { redirect_uris: uris.join(',') } : {}),
    ...(grants ? { grant_types: grants.join(',') } : {}),
    ...(method === undefined ? {} : { token_endpoint_auth_method: method as AuthMethod }),
    ...(client_name === undefined ? {} : { client_name }),
    ...(client_uri === undefined ? {} : { client_uri }),
    ...(logo_uri === undefined ? {} : { logo_uri }),
  }
  return reply(call, clientBody(await change(auth, client.id, changes)))
}

/** `DELETE /admin/oauth/clients/{client_id}`: removes an application, and ends every session it has. 204. */
export async function deleteClient(auth: Auth, call: Call): Promise<Response> {
  const client = await requireClient(auth, call)
  await auth.transact(async (tx) => {
    await updateClient(tx, client.id, { deleted_at: auth.now(), at: auth.now() })
    await endAccessOfClient(tx, client.id)
  })
  return new Response(null, { status: 204 })
}

/** `POST /admin/oauth/clients/{client_id}/regenerate_secret`: a new secret; the old one no longer works. @throws `validation_failed` (400) for a public client. */
export async function regenerateSecret(auth: Auth, call: Call): Promise<Response> {
  const client = await requireClient(auth, call)
  if (client.clientType === 'public') throw invalidRequest('Cannot regenerate secret for public client')
  const secret = makeClientSecret()
  const changed = await change(auth, client.id, { client_secret_hash: hashClientSecret(secret) })
  return reply(call, clientBody(changed, secret), { headers: keptSecret })
}
