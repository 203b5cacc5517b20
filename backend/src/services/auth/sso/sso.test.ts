import { X509Certificate } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { freshEmail, openTestAuth, signUpPerson, testPassword, type TestAuth } from '#services/auth/open-test-auth.ts'
import { createOutbound } from '#services/auth/outbound.ts'

import { newRsaKey, openTestIdp, type Said, type TestIdp } from './test-idp.ts'

const service = 'http://127.0.0.1:54321/auth/v1/sso/saml'
const home = 'http://127.0.0.1:54321/'

let auth: TestAuth
let idp: TestIdp
let providerId: string
const privateKey = newRsaKey()

beforeAll(async () => {
  auth = await openTestAuth({ settings: { saml: { privateKey, relayStateSeconds: 120 } } })
  idp = openTestIdp(service)
  const made = await administrate('POST', '', { type: 'saml', metadata_xml: idp.metadata, domains: ['corp.example'], attribute_mapping: { keys: { name: { name: 'displayName' }, groups: { names: ['memberOf'], array: true }, team: { default: 'none' } } } })
  expect([made.status, made.body.message]).toEqual([201, undefined])
  providerId = String(made.body.id)
})
afterAll(() => auth.close())

async function administrate(method: string, path: string, body?: unknown) {
  const headers = { apikey: auth.keys.serviceRoleKey, authorization: `Bearer ${auth.keys.serviceRoleKey}` }
  const answer = await auth.ask(`/admin/sso/providers${path}`, { method, headers, ...(body === undefined ? {} : { body }) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

/** Sends the form an identity provider's page sends; gives where the browser goes on to. */
async function post(response: string, relayState: string): Promise<URL> {
  const answer = await auth.ask('/sso/saml/acs', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: new URLSearchParams({ SAMLResponse: response, RelayState: relayState }).toString() })
  return new URL(answer.headers.get('location') ?? '')
}

async function setOut(redirectTo = home) {
  const client = auth.client({ auth: { flowType: 'pkce', persistSession: true, storage: memory() } })
  const { data, error } = await client.auth.signInWithSSO({ domain: 'corp.example', options: { redirectTo } })
  if (error) throw error
  return { client, ...idp.readRequest(data.url) }
}

function memory() {
  const values = new Map<string, string>()
  return { getItem: (key: string) => values.get(key) ?? null, setItem: (key: string, value: string) => void values.set(key, value), removeItem: (key: string) => void values.delete(key) }
}

describe('people of an organisation', () => {
  it('sign in at its identity provider, by the official client', async () => {
    const { client, id, relayState, acs, issuer, isSigned } = await setOut(`${home}callback?next=1`)
    expect({ acs, issuer, isSigned }).toEqual({ acs: `${service}/acs`, issuer: `${service}/metadata`, isSigned: true })
    const target = await post(idp.respond({ nameId: 'ada', inResponseTo: id, attributes: { displayName: ['Ada Lovelace'], memberOf: ['math', 'engines'] } }), relayState)
    expect(`${target.origin}${target.pathname}`).toBe(`${home}callback`)
    const { data, error } = await client.auth.exchangeCodeForSession(target.searchParams.get('code') ?? '')
    expect(error).toBeNull()
    expect(data.user).toMatchObject({
      email: 'ada@corp.example',
      app_metadata: { provider: `sso:${providerId}` },
      user_metadata: { name: 'Ada Lovelace', iss: idp.entityId, email_verified: true, custom_claims: { groups: ['math', 'engines'], team: 'none' } },
    })
    const claims = JSON.parse(Buffer.from(data.session?.access_token.split('.')[1] ?? '', 'base64url').toString()) as { amr: object[] }
    expect(claims.amr).toEqual([{ method: 'sso/saml', timestamp: expect.any(Number), provider: providerId }])
    expect((await client.auth.updateUser({ password: testPassword })).error?.code).toBe('user_sso_managed')
  })

  it('come back as the same person, when the whole response is signed too, and have what the address has elsewhere apart', async () => {
    const local = await signUpPerson(auth, 'grace@corp.example')
    const arrive = async (how: 'assertion' | 'response') => {
      const { client, id, relayState } = await setOut()
      const target = await post(idp.respond({ nameId: 'grace', inResponseTo: id }, { signed: how }), relayState)
      return (await client.auth.exchangeCodeForSession(target.searchParams.get('code') ?? '')).data.user?.id
    }
    const first = await arrive('assertion')
    expect(first).toBeDefined()
    expect(first).not.toBe(local.user.id)
    expect(await arrive('response')).toBe(first)
  })

  it('may begin at the identity provider; the session ends when it wants to', async () => {
    const sessionEnd = new Date(Date.now() + 3_600_000)
    const target = await post(idp.respond({ nameId: 'linus', sessionEnd }), home)
    const fragment = new URLSearchParams(target.hash.slice(1))
    expect((await auth.client().auth.getUser(fragment.get('access_token') ?? '')).data.user?.email).toBe('linus@corp.example')
    auth.clock.advance(3_700)
    const { error } = await auth.client().auth.refreshSession({ refresh_token: fragment.get('refresh_token') ?? '' })
    auth.clock.advance(-3_700)
    expect(error?.code).toBe('session_expired')
  })

  it('are told where there is no such organisation, or it is switched off', async () => {
    const ask = async (domain: string) => (await auth.client().auth.signInWithSSO({ domain })).error
    expect(await ask('nowhere.example')).toMatchObject({ status: 404, code: 'sso_provider_not_found' })
    await administrate('PUT', `/${providerId}`, { disabled: true })
    expect(await ask('corp.example')).toMatchObject({ status: 404, code: 'sso_provider_disabled' })
    await administrate('PUT', `/${providerId}`, { disabled: false })
    const off = await openTestAuth({ database: auth.database })
    expect((await off.client().auth.signInWithSSO({ domain: 'corp.example' })).error).toMatchObject({ status: 404, code: 'saml_provider_disabled' })
  })
})

describe('an answer is refused', () => {
  const refused = async (said: Partial<Said>, how: Parameters<TestIdp['respond']>[1] = {}) => {
    const { id, relayState } = await setOut()
    const target = await post(idp.respond({ nameId: 'mallory', inResponseTo: id, ...said }, how), relayState)
    return { code: target.searchParams.get('code'), error: target.searchParams.get('error_code'), hash: target.hash }
  }
  const no = { code: null, error: 'validation_failed', hash: '' }

  it('that nobody signed, somebody else signed, or that was changed since', async () => {
    expect(await refused({}, { signed: 'nothing' })).toEqual(no)
    expect(await refused({}, { key: newRsaKey() })).toEqual(no)
    expect(await refused({}, { tamper: (xml) => xml.replace('mallory@corp.example', 'ada@corp.example') })).toEqual(no)
    expect(await refused({}, { signed: 'response', tamper: (xml) => xml.replace('mallory@corp.example', 'ada@corp.example') })).toEqual(no)
  })

  it('in which an unsigned assertion is wrapped around the signed one', async () => {
    const wrap = (xml: string) => {
      const signed = /<saml:Assertion .*<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
      const forged = signed.replace(/<Signature.*<\/Signature>/s, '').replace(/ID="_/, 'ID="_forged').replaceAll('mallory', 'ada')
      return xml.replace(signed, `${forged}<samlp:Extensions>${signed}</samlp:Extensions>`)
    }
    expect(await refused({}, { tamper: wrap })).toEqual(no)
    const twice = (xml: string) => xml.replace(/<saml:Assertion .*<\/saml:Assertion>/s, (signed) => `${signed.replace(/<Signature.*<\/Signature>/s, '').replaceAll('mallory', 'ada')}${signed}`)
    expect(await refused({}, { tamper: twice })).toEqual(no)
  })

  it('whose name is cut by a comment: the whole of it counts', async () => {
    const { client, id, relayState } = await setOut()
    const response = idp.respond({ nameId: 'ada<!-- -->x', email: 'adax@corp.example', inResponseTo: id })
    const target = await post(response, relayState)
    const { data } = await client.auth.exchangeCodeForSession(target.searchParams.get('code') ?? '')
    expect(data.user?.identities?.[0]?.id ?? 'none').not.toBe('ada')
  })

  it('for another service, another request, another time or from another issuer', async () => {
    expect(await refused({ audience: 'https://other.example/metadata' })).toEqual(no)
    expect(await refused({ recipient: 'https://other.example/acs' })).toEqual(no)
    expect(await refused({ inResponseTo: 'id-another' })).toEqual(no)
    expect(await refused({ inResponseTo: '' })).toEqual(no)
    expect(await refused({ notOnOrAfter: new Date(Date.now() - 600_000) })).toEqual(no)
    expect(await refused({ issuer: 'https://other.example' })).toEqual(no)
  })

  it('that does not say who it is about', async () => {
    expect(await refused({ format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' })).toMatchObject({ error: 'saml_assertion_no_user_id' })
    expect(await refused({ email: '' })).toMatchObject({ error: 'saml_assertion_no_email' })
  })

  it('the second time, too late, or with a state nobody was given', async () => {
    const { id, relayState } = await setOut()
    const response = idp.respond({ nameId: 'eve', inResponseTo: id })
    expect((await post(response, relayState)).searchParams.get('code')).not.toBeNull()
    expect((await post(response, relayState)).searchParams.get('error_code')).toBe('saml_relay_state_not_found')
    // An answer to a request is none to nobody's request.
    expect((await post(response, '')).searchParams.get('error_code')).toBe('validation_failed')
    const unasked = idp.respond({ nameId: 'eve' })
    expect((await post(unasked, '')).hash).toContain('access_token=')
    expect((await post(unasked, '')).searchParams.get('error_code')).toBe('validation_failed')
    const late = await setOut()
    auth.clock.advance(130)
    const target = await post(idp.respond({ nameId: 'eve', inResponseTo: late.id }), late.relayState)
    auth.clock.advance(-130)
    expect(target.searchParams.get('error_code')).toBe('saml_relay_state_expired')
    expect((await post(response, 'not a state')).searchParams.get('error_code')).toBe('validation_failed')
  })

  it('that names files or addresses, is no XML, or comes from an unknown provider', async () => {
    const doctype = (xml: string) => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${xml}`
    expect(await refused({}, { tamper: doctype })).toEqual(no)
    expect((await post(Buffer.from('no xml <').toString('base64'), '')).searchParams.get('error_code')).toBe('validation_failed')
    expect((await post('%%%', '')).searchParams.get('error_code')).toBe('validation_failed')
    expect((await post(openTestIdp(service).respond({ nameId: 'x' }), '')).searchParams.get('error_code')).toBe('saml_idp_not_found')
  })

  it('to lead elsewhere: the browser goes to the project\'s site', async () => {
    const target = await post(idp.respond({ nameId: 'trent' }), 'https://evil.example/')
    expect(target.origin).toBe('http://127.0.0.1:54321')
    const { client, id, relayState } = await setOut('https://evil.example/steal')
    const other = await post(idp.respond({ nameId: 'trent', inResponseTo: id }), relayState)
    expect([other.origin, (await client.auth.exchangeCodeForSession(other.searchParams.get('code') ?? '')).error]).toEqual(['http://127.0.0.1:54321', null])
  })
})

describe('the service\'s metadata', () => {
  it('names where to send people and the certificate requests are signed with, the same one after a restart', async () => {
    const answer = await auth.ask('/sso/saml/metadata')
    const xml = await answer.text()
    expect([answer.headers.get('content-type'), answer.headers.get('cache-control')]).toEqual(['application/xml', 'public, max-age=600'])
    expect(xml).toContain(`entityID="${service}/metadata"`)
    const certificate = new X509Certificate(Buffer.from(/<X509Certificate>([^<]+)</.exec(xml)?.[1] ?? '', 'base64'))
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate.checkPrivateKey(privateKey)).toBe(true)
    expect([certificate.subject, certificate.subjectAltName, certificate.validTo]).toEqual(['CN=SAML 2.0 Certificate for 127.0.0.1', 'DNS:_samlsp.127.0.0.1', 'Jan  1 00:00:00 2170 GMT'])
    const again = await openTestAuth({ database: auth.database, settings: { saml: { privateKey, relayStateSeconds: 120 } } })
    expect(await (await again.ask('/sso/saml/metadata')).text()).toBe(xml)
    expect((await auth.ask('/sso/saml/metadata?download=true')).headers.get('content-disposition')).toBe('attachment; filename="metadata.xml"')
  })
})

describe('administrators', () => {
  it('connect, list, change and remove identity providers', async () => {
    const other = openTestIdp(service)
    const made = await administrate('POST', '', { type: 'saml', metadata_xml: other.metadata, domains: ['a.example', 'b.example'], resource_id: 'team-1' })
    expect(made).toMatchObject({ status: 201, body: { resource_id: 'team-1', saml: { entity_id: other.entityId, metadata_xml: other.metadata }, domains: [{ domain: 'a.example' }, { domain: 'b.example' }] } })
    const list = await administrate('GET', '?resource_id_prefix=team-')
    expect(list.body.items).toMatchObject([{ id: made.body.id, saml: { entity_id: other.entityId } }])
    expect(JSON.stringify(list.body)).not.toContain('EntityDescriptor')
    const changed = await administrate('PUT', '/resource_team-1', { domains: ['b.example', 'c.example'] })
    expect(changed.body.domains).toMatchObject([{ domain: 'b.example' }, { domain: 'c.example' }])
    expect((await administrate('DELETE', `/${String(made.body.id)}`)).status).toBe(200)
    expect((await administrate('GET', `/${String(made.body.id)}`)).body.code).toBe('sso_provider_not_found')
  })

  it.each([
    [{ type: 'oidc' }, 400, 'validation_failed'],
    [{ type: 'saml' }, 400, 'validation_failed'],
    [{ type: 'saml', metadata_url: 'http://idp.example.com/metadata' }, 400, 'validation_failed'],
    [{ type: 'saml', metadata_xml: '<x/>' }, 400, 'validation_failed'],
    [{ type: 'saml', metadata_xml: '<!DOCTYPE x><x/>' }, 400, 'validation_failed'],
    [{ type: 'saml', metadata_url: 'https://127.0.0.1/metadata' }, 400, 'saml_metadata_fetch_failed'],
  ])('are told what is wrong with %j', async (body, status, code) => {
    expect(await administrate('POST', '', body)).toMatchObject({ status, body: { code } })
  })

  it('cannot give one domain or one provider twice', async () => {
    expect((await administrate('POST', '', { type: 'saml', metadata_xml: idp.metadata })).body.code).toBe('saml_idp_already_exists')
    expect((await administrate('POST', '', { type: 'saml', metadata_xml: openTestIdp(service).metadata, domains: ['CORP.example'] })).body.code).toBe('sso_domain_already_exists')
    expect((await administrate('PUT', `/${providerId}`, { metadata_xml: openTestIdp(service).metadata })).body.code).toBe('saml_entity_id_mismatch')
  })

  it('alone may: a signed-in person is refused', async () => {
    const { session } = await signUpPerson(auth, freshEmail())
    const answer = await auth.ask('/admin/sso/providers', { headers: { authorization: `Bearer ${session.access_token}` } })
    expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([403, 'not_admin'])
  })
})

it('metadata is fetched from public addresses over TLS alone', async () => {
  await expect(createOutbound('public')('https://169.254.169.254/latest')).rejects.toThrow()
})
