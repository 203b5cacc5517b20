import { createHmac, createHash } from 'node:crypto'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { openTestAuth, type TestAuth } from '#services/auth/open-test-auth.ts'

import { newRsaKey, openTestIdp, type Said, type TestIdp } from './test-idp.ts'

const service = 'http://127.0.0.1:54321/auth/v1/sso/saml'
const home = 'http://127.0.0.1:54321/'

let auth: TestAuth
let idp: TestIdp
let other: TestIdp

beforeAll(async () => {
  auth = await openTestAuth({ settings: { saml: { privateKey: newRsaKey(), relayStateSeconds: 120 } } })
  idp = openTestIdp(service)
  other = openTestIdp(service)
  await connect(idp, 'corp.example')
  await connect(other, 'other.example')
})
afterAll(() => auth.close())

async function connect({ metadata }: TestIdp, domain: string): Promise<void> {
  const headers = { apikey: auth.keys.serviceRoleKey, authorization: `Bearer ${auth.keys.serviceRoleKey}` }
  const answer = await auth.ask('/admin/sso/providers', { method: 'POST', headers, body: { type: 'saml', metadata_xml: metadata, domains: [domain] } })
  if (answer.status !== 201) throw new Error(await answer.text())
}

/** Sends what somebody made of their own answer; gives whom it let in, if anybody, and why not. */
async function arrive(response: string, relayState = home): Promise<{ as: string | undefined; error: string | null }> {
  const answer = await auth.ask('/sso/saml/acs', { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: new URLSearchParams({ SAMLResponse: response, RelayState: relayState }).toString() })
  const target = new URL(answer.headers.get('location') ?? '')
  const token = new URLSearchParams(target.hash.slice(1)).get('access_token')
  const { data } = token === null ? { data: { user: null } } : await auth.client().auth.getUser(token)
  return { as: data.user?.email, error: target.searchParams.get('error_code') }
}

const assertionIn = (xml: string): string => /<saml:Assertion .*?<\/saml:Assertion>/s.exec(xml)?.[0] ?? ''
const signatureIn = (xml: string): string => /<Signature.*?<\/Signature>/s.exec(xml)?.[0] ?? ''
const responseIn = (xml: string): string => /<samlp:Response .*<\/samlp:Response>/s.exec(xml)?.[0] ?? ''
/** The same under another id, unsigned, and about somebody else. */
const forged = (xml: string): string => xml.replace(signatureIn(xml), '').replaceAll(/ ID="_/g, ' ID="_forged').replaceAll('mallory', 'victim')
/** Puts something into the place of the first of something. */
const put = (xml: string, at: string, instead: string): string => xml.replace(at, () => instead)
/** Before the end of an element. */
const within = (element: string, name: string, content: string): string => element.replace(new RegExp(`</${name}>$`), () => `${content}</${name}>`)

type Wrapping = { signed: 'response' | 'assertion'; wrap: (xml: string) => string }

// Somorovsky et al., "On Breaking SAML: Be Whoever You Want to Be", XSW1 to XSW8.
const wrappings: Readonly<Record<string, Wrapping>> = {
  'XSW1: the signed response inside the signature of a forged one': {
    signed: 'response',
    wrap: (xml) => {
      const signature = signatureIn(xml)
      const original = xml.replace(signature, '')
      return forged(responseIn(original)).replace(/(<saml:Issuer>.*?<\/saml:Issuer>)/, (issuer) => issuer + within(signature, 'Signature', `<Object>${responseIn(original)}</Object>`))
    },
  },
  'XSW2: the signed response beside the signature in a forged one': {
    signed: 'response',
    wrap: (xml) => {
      const signature = signatureIn(xml)
      const original = xml.replace(signature, '')
      return forged(responseIn(original)).replace(/(<saml:Issuer>.*?<\/saml:Issuer>)/, (issuer) => issuer + responseIn(original) + signature)
    },
  },
  'XSW3: a forged assertion before the signed one': { signed: 'assertion', wrap: (xml) => put(xml, assertionIn(xml), forged(assertionIn(xml)) + assertionIn(xml)) },
  'XSW4: the signed assertion inside a forged one': { signed: 'assertion', wrap: (xml) => put(xml, assertionIn(xml), within(forged(assertionIn(xml)), 'saml:Assertion', assertionIn(xml))) },
  'XSW5: a forged assertion that keeps the signature, the signed one after it': {
    signed: 'assertion',
    wrap: (xml) => {
      const [assertion, signature] = [assertionIn(xml), signatureIn(xml)]
      const evil = forged(assertion).replace(/(<saml:Issuer>.*?<\/saml:Issuer>)/, (issuer) => issuer + signature)
      return put(xml, assertion, evil + assertion.replace(signature, ''))
    },
  },
  'XSW6: the signed assertion inside the signature of a forged one': {
    signed: 'assertion',
    wrap: (xml) => {
      const [assertion, signature] = [assertionIn(xml), signatureIn(xml)]
      const holding = within(signature, 'Signature', `<Object>${assertion.replace(signature, '')}</Object>`)
      return put(xml, assertion, forged(assertion).replace(/(<saml:Issuer>.*?<\/saml:Issuer>)/, (issuer) => issuer + holding))
    },
  },
  'XSW7: a forged assertion in the extensions': { signed: 'assertion', wrap: (xml) => put(xml, assertionIn(xml), `<samlp:Extensions>${forged(assertionIn(xml))}</samlp:Extensions>${assertionIn(xml)}`) },
  'XSW8: the signed assertion in an object of the forged one\'s signature': {
    signed: 'assertion',
    wrap: (xml) => {
      const [assertion, signature] = [assertionIn(xml), signatureIn(xml)]
      const holding = within(signature, 'Signature', `<Object>${assertion.replace(signature, '')}</Object>`)
      return put(xml, assertion, forged(assertion).replace(/ ID="_forged/, ' ID="_').replace(/(<saml:Issuer>.*?<\/saml:Issuer>)/, (issuer) => issuer + holding))
    },
  },
  'both under one id': { signed: 'assertion', wrap: (xml) => put(xml, assertionIn(xml), forged(assertionIn(xml)).replace(/ ID="_forged/, ' ID="_') + assertionIn(xml)) },
  'a forged one in place of the signed one, which an entity names': { signed: 'assertion', wrap: (xml) => `<!DOCTYPE r [<!ENTITY a "b">]>${put(xml, assertionIn(xml), forged(assertionIn(xml)))}` },
}

describe('a signed answer that is wrapped in a forged one', () => {
  it('is taken as it is, when nothing is done to it', async () => {
    for (const signed of ['assertion', 'response'] as const) expect(await arrive(idp.respond({ nameId: 'mallory' }, { signed }))).toEqual({ as: 'mallory@corp.example', error: null })
  })

  it.each(Object.entries(wrappings))('%s', async (_, { signed, wrap }) => {
    const tamper = (xml: string) => {
      const made = wrap(xml)
      // The attack must be one: both are there, and the forged one says somebody else.
      expect(made).toContain('victim@corp.example')
      return made
    }
    const came = await arrive(idp.respond({ nameId: 'mallory' }, { signed, tamper }))
    expect([undefined, 'mallory@corp.example']).toContain(came.as)
  })
})

const digestOf = (text: string) => createHash('sha256').update(text).digest('base64')

describe('an answer is believed by the provider\'s own key alone', () => {
  it('and not by its certificate taken for a shared secret', async () => {
    const certificate = /X509Certificate>([^<]+)</.exec(idp.metadata)?.[1] ?? ''
    const pem = `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`
    for (const method of ['http://www.w3.org/2000/09/xmldsig#hmac-sha1', 'http://www.w3.org/2001/04/xmldsig-more#hmac-sha256']) {
      const tamper = (xml: string) => {
        const evil = xml.replaceAll('mallory', 'victim')
        const unsigned = assertionIn(evil).replace(signatureIn(evil), '')
        const info = (/<SignedInfo>.*?<\/SignedInfo>/s.exec(evil)?.[0] ?? '')
          .replace(/SignatureMethod Algorithm="[^"]*"/, () => `SignatureMethod Algorithm="${method}"`)
          .replace(/<DigestValue>[^<]*</, () => `<DigestValue>${digestOf(unsigned)}<`)
        const value = createHmac(method.endsWith('sha1') ? 'sha1' : 'sha256', pem).update(info.replace('<SignedInfo>', '<SignedInfo xmlns="http://www.w3.org/2000/09/xmldsig#">')).digest('base64')
        return evil.replace(/<SignedInfo>.*?<\/SignedInfo>/s, () => info).replace(/<SignatureValue>[^<]*</, () => `<SignatureValue>${value}<`)
      }
      expect(await arrive(idp.respond({ nameId: 'mallory' }, { tamper }))).toEqual({ as: undefined, error: 'validation_failed' })
    }
  })

  it('and not by a key that comes with it', async () => {
    const stranger = openTestIdp(service)
    const info = /<KeyInfo.*?<\/KeyInfo>/s.exec(stranger.metadata)?.[0] ?? ''
    const tamper = (xml: string) => xml.replace('</SignatureValue>', () => `</SignatureValue>${info}`)
    expect(await arrive(idp.respond({ nameId: 'victim' }, { key: newRsaKey(), tamper }))).toEqual({ as: undefined, error: 'validation_failed' })
  })

  it('and not by that of another provider of the project, whoever it says it is', async () => {
    const asOther = (said: Partial<Said>) => other.respond({ nameId: 'victim', email: 'victim@corp.example', ...said })
    expect((await arrive(asOther({ issuer: idp.entityId }))).as).toBeUndefined()
    // Its own assertion under the first one's response, and the other way about.
    const outside = (xml: string) => xml.replace(`<saml:Issuer>${other.entityId}</saml:Issuer>`, () => `<saml:Issuer>${idp.entityId}</saml:Issuer>`)
    const answer = Buffer.from(outside(Buffer.from(asOther({}), 'base64').toString())).toString('base64')
    expect((await arrive(answer)).as).toBeUndefined()
  })

  it('and a person of one provider is nobody of another, whatever name and address they tell', async () => {
    const first = await arrive(idp.respond({ nameId: 'twin', email: 'twin@corp.example' }))
    const second = await arrive(other.respond({ nameId: 'twin', email: 'twin@corp.example' }))
    expect([first.as, second.as]).toEqual(['twin@corp.example', 'twin@corp.example'])
    const { data } = await auth.admin().auth.admin.listUsers({ perPage: 1000 })
    const twins = data.users.filter(({ email }) => email === 'twin@corp.example')
    expect(new Set(twins.map(({ id }) => id)).size).toBe(2)
    expect(new Set(twins.map(({ app_metadata }) => app_metadata.provider as string)).size).toBe(2)
  })
})

describe('an answer that would eat the box', () => {
  it.each([
    ['entities in entities', `<!DOCTYPE l [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><r>&b;</r>`],
    ['a document type in another case', '<!doctype r SYSTEM "http://127.0.0.1:9/x"><r/>'],
    ['elements in elements', `${'<a>'.repeat(20_000)}${'</a>'.repeat(20_000)}`],
    ['nothing', ''],
    ['bytes of UTF-16', Buffer.from('\ufeff<!DOCTYPE r [<!ENTITY x "y">]><r>&x;</r>', 'utf16le').toString('latin1')],
  ])('by %s is refused at once', async (_, xml) => {
    const begun = performance.now()
    expect((await arrive(Buffer.from(xml, 'latin1').toString('base64'))).error).toMatch(/validation_failed|saml_idp_not_found/)
    expect(performance.now() - begun).toBeLessThan(20_000)
  })
})

it('one unasked answer, sent ten times at once, lets in once', async () => {
  const response = idp.respond({ nameId: 'racer' })
  const came = await Promise.all(Array.from({ length: 10 }, () => arrive(response)))
  expect(came.filter(({ as }) => as === 'racer@corp.example')).toHaveLength(1)
})

it('a name cut in two by a comment after it was signed is the whole name', async () => {
  for (const cut of ['<!-- -->', '<!---->', '<!--\n-->']) {
    const tamper = (xml: string) => xml.replaceAll('.evil', () => `${cut}.evil`)
    const came = await arrive(idp.respond({ nameId: 'ada.evil', email: 'admin@corp.example.evil' }, { tamper }))
    expect(came.as ?? 'admin@corp.example.evil', cut).toBe('admin@corp.example.evil')
  }
})
