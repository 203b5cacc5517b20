import { X509Certificate } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openTestAuth, type TestAuth } from '#services/auth/open-test-auth.ts'

import { newRsaKey, openTestIdp, type TestIdp } from './test-idp.ts'

const service = 'http://127.0.0.1:54321/auth/v1/sso/saml'
const privateKey = newRsaKey()

let auth: TestAuth
let plain: TestAuth
let idp: TestIdp
beforeAll(async () => {
  auth = await openTestAuth({ settings: { saml: { privateKey, allowsEncryption: true, relayStateSeconds: 120 } } })
  plain = await openTestAuth({ database: auth.database, settings: { saml: { privateKey, relayStateSeconds: 120 } } })
  idp = openTestIdp(service)
  const headers = { apikey: auth.keys.serviceRoleKey, authorization: `Bearer ${auth.keys.serviceRoleKey}` }
  const made = await auth.ask('/admin/sso/providers', { method: 'POST', headers, body: { type: 'saml', metadata_xml: idp.metadata, domains: ['corp.example'] } })
  expect(made.status).toBe(201)
})
afterAll(() => auth.close())

type How = Partial<Parameters<TestIdp['respondEncrypted']>[1]>

/** Sends an encrypted assertion; gives whose session it began, or the error. */
async function arrive(nameId: string, how: How = {}, box = auth) {
  const response = await idp.respondEncrypted({ nameId }, { recipient: privateKey, ...how })
  const answer = await box.ask('/sso/saml/acs', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ SAMLResponse: response, RelayState: '' }).toString(),
  })
  const target = new URL(answer.headers.get('location') ?? '')
  const token = new URLSearchParams(target.hash.slice(1)).get('access_token')
  if (token === null) return { error: target.searchParams.get('error_code'), words: target.searchParams.get('error_description') }
  return { email: (await box.client().auth.getUser(token)).data.user?.email }
}

const no = { error: 'validation_failed', words: 'SAML Assertion is not valid' }

describe('an encrypted assertion', () => {
  it.each(['aes256-gcm', 'aes128-gcm'] as const)('by %s signs in, whether it is signed inside or the whole is', async (cipher) => {
    expect(await arrive('ada', { cipher })).toEqual({ email: 'ada@corp.example' })
    expect(await arrive('ada', { cipher, signed: 'response' })).toEqual({ email: 'ada@corp.example' })
  })

  it.each(['aes256-cbc', 'aes128-cbc'] as const)('by %s signs in when the whole response is signed, and is not touched else', async (cipher) => {
    expect(await arrive('ada', { cipher, signed: 'response' })).toEqual({ email: 'ada@corp.example' })
    expect(await arrive('ada', { cipher })).toEqual(no)
    const forged = (xml: string) => xml.replace(/(<xenc:CipherValue>|<e:CipherValue>)(.)/g, (_, open: string, first: string) => `${open}${first === 'A' ? 'B' : 'A'}`)
    expect(await arrive('ada', { cipher, signed: 'response', tamper: forged })).toEqual(no)
  })

  it('by a weak cipher, or with its key kept in a weak way, is refused', async () => {
    for (const signed of ['assertion', 'response'] as const) {
      expect(await arrive('ada', { cipher: 'tripledes-cbc', signed })).toEqual(no)
      expect(await arrive('ada', { transport: 'rsa-1_5', signed })).toEqual(no)
    }
  })

  it('that nobody signed, somebody else signed or that is for another key is refused in the same words', async () => {
    expect(await arrive('ada', { signed: 'nothing' })).toEqual(no)
    expect(await arrive('ada', { key: newRsaKey() })).toEqual(no)
    expect(await arrive('ada', { key: newRsaKey(), signed: 'response' })).toEqual(no)
    expect(await arrive('ada', { recipient: newRsaKey() })).toEqual(no)
  })

  it('beside another one, in the open or not, is refused', async () => {
    const twice = (xml: string) => xml.replace(/<saml:EncryptedAssertion>[\s\S]*<\/saml:EncryptedAssertion>/, (found) => found + found)
    const open = Buffer.from(idp.respond({ nameId: 'mallory' }, { signed: 'nothing' }), 'base64').toString()
    const [assertion = ''] = /<saml:Assertion [\s\S]*<\/saml:Assertion>/.exec(open) ?? []
    const beside = (xml: string) => xml.replace('<saml:EncryptedAssertion>', () => `${assertion}<saml:EncryptedAssertion>`)
    const decoy = (xml: string) => xml.replace('<saml:EncryptedAssertion>', '<x><EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2009/xmlenc11#aes256-gcm"/></EncryptedData></x><saml:EncryptedAssertion>')
    for (const tamper of [twice, beside, decoy]) {
      expect(await arrive('ada', { tamper })).toEqual(no)
      expect(await arrive('ada', { tamper, signed: 'response' })).toEqual(no)
    }
  })

  it('is refused where the project wants none, and asked for in the metadata where it does', async () => {
    expect(await arrive('ada', {}, plain)).toEqual(no)
    const metadata = async (box: TestAuth) => (await box.ask('/sso/saml/metadata')).text()
    expect(await metadata(plain)).not.toContain('use="encryption"')
    const [, shown = ''] = /use="encryption">.*?<X509Certificate>([^<]+)</.exec(await metadata(auth)) ?? []
    expect(new X509Certificate(Buffer.from(shown, 'base64')).checkPrivateKey(privateKey)).toBe(true)
    expect(await metadata(auth)).toContain('xmlenc11#aes256-gcm')
  })
})
