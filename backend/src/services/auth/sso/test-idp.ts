import { createPrivateKey, createPublicKey, generateKeyPairSync, randomUUID, type KeyObject } from 'node:crypto'
import { createRequire } from 'node:module'
import { inflateRawSync } from 'node:zlib'

import { certificateOf } from './certificate.ts'

// The library that node-saml itself checks signatures with.
const require = createRequire(createRequire(import.meta.url).resolve('@node-saml/node-saml'))
interface SignedXml {
  addReference(reference: { xpath: string; transforms: string[]; digestAlgorithm: string }): void
  computeSignature(xml: string, options: { location: { reference: string; action: 'after' } }): void
  getSignedXml(): string
}
const { SignedXml } = require('xml-crypto') as { SignedXml: new (options: object) => SignedXml }
const { encrypt } = require('xml-encryption') as { encrypt: (content: string, options: object, done: (error: Error | null, xml: string) => void) => void }

/** What an assertion says; each member can be told otherwise by a test. */
export interface Said {
  issuer: string
  nameId: string
  format: string
  email: string
  attributes: Readonly<Record<string, readonly string[]>>
  audience: string
  recipient: string
  inResponseTo: string
  notOnOrAfter: Date
  sessionEnd: Date | null
}

interface How {
  signed?: 'assertion' | 'response' | 'nothing'
  tamper?: (xml: string) => string
  key?: KeyObject
}

/** For whom, and how: the last part of each algorithm's name. */
interface Encrypted {
  recipient: KeyObject
  cipher?: 'aes256-gcm' | 'aes128-gcm' | 'aes256-cbc' | 'aes128-cbc' | 'tripledes-cbc'
  transport?: 'rsa-oaep-mgf1p' | 'rsa-1_5'
}

/** An identity provider of an organisation, as much of one as signs assertions. */
export interface TestIdp {
  entityId: string
  metadata: string
  /** The request a person arrives with. */
  readRequest(url: string): { id: string; relayState: string; acs: string; issuer: string; isSigned: boolean }
  /** A form field `SAMLResponse`; `tamper` changes the XML after it is signed. */
  respond(said: Partial<Said> & Pick<Said, 'nameId'>, how?: How): string
  /** As `respond`, with the assertion encrypted; `tamper` sees what is sent. */
  respondEncrypted(said: Partial<Said> & Pick<Said, 'nameId'>, how: How & Encrypted): Promise<string>
}

const rsa = (): KeyObject => createPrivateKey(generateKeyPairSync('rsa', { modulusLength: 2048, privateKeyEncoding: { type: 'pkcs8', format: 'pem' }, publicKeyEncoding: { type: 'spki', format: 'pem' } }).privateKey)

export { rsa as newRsaKey }

const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature'
const canonical = 'http://www.w3.org/2001/10/xml-exc-c14n#'

function sign(xml: string, element: 'Assertion' | 'Response', key: KeyObject): string {
  const signed = new SignedXml({ privateKey: key.export({ type: 'pkcs8', format: 'pem' }), signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', canonicalizationAlgorithm: canonical })
  signed.addReference({ xpath: `//*[local-name(.)='${element}']`, transforms: [enveloped, canonical], digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256' })
  signed.computeSignature(xml, { location: { reference: `//*[local-name(.)='${element}']/*[local-name(.)='Issuer']`, action: 'after' } })
  return signed.getSignedXml()
}

function encryptAssertion(xml: string, { recipient, cipher = 'aes256-gcm', transport = 'rsa-oaep-mgf1p' }: Encrypted): Promise<string> {
  const [assertion = ''] = /<saml:Assertion [\s\S]*<\/saml:Assertion>/.exec(xml) ?? []
  const options = {
    rsa_pub: createPublicKey(recipient).export({ type: 'spki', format: 'pem' }),
    pem: `-----BEGIN CERTIFICATE-----\n${certificateOf(recipient, 'sp.example.com').toString('base64')}\n-----END CERTIFICATE-----`,
    encryptionAlgorithm: `http://www.w3.org/${cipher.endsWith('gcm') ? '2009/xmlenc11' : '2001/04/xmlenc'}#${cipher}`,
    keyEncryptionAlgorithm: `http://www.w3.org/2001/04/xmlenc#${transport}`,
    warnInsecureAlgorithm: false,
  }
  return new Promise((resolve, reject) => {
    encrypt(assertion, options, (error, text) => (error ? reject(error) : resolve(xml.replace(assertion, () => `<saml:EncryptedAssertion>${text}</saml:EncryptedAssertion>`))))
  })
}

const attributeXml = ([name, values]: [string, readonly string[]]) =>
  `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`

function responseXml(said: Said): string {
  const now = new Date().toISOString()
  const answered = said.inResponseTo === '' ? '' : ` InResponseTo="${said.inResponseTo}"`
  const ends = said.sessionEnd ? ` SessionNotOnOrAfter="${said.sessionEnd.toISOString()}"` : ''
  return `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${now}" Destination="${said.recipient}"${answered}><saml:Issuer>${said.issuer}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${now}"><saml:Issuer>${said.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${said.format}">${said.nameId}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData Recipient="${said.recipient}" NotOnOrAfter="${said.notOnOrAfter.toISOString()}"${answered}/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotBefore="${new Date(Date.now() - 60_000).toISOString()}" NotOnOrAfter="${said.notOnOrAfter.toISOString()}"><saml:AudienceRestriction><saml:Audience>${said.audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions><saml:AuthnStatement AuthnInstant="${now}" SessionIndex="_1"${ends}><saml:AuthnContext><saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement><saml:AttributeStatement>${Object.entries({ ...(said.email === '' ? {} : { email: [said.email] }), ...said.attributes }).map(attributeXml).join('')}</saml:AttributeStatement></saml:Assertion></samlp:Response>`
}

/** @param service the auth service's own SAML address: `http://127.0.0.1:54321/auth/v1/sso/saml`. */
export function openTestIdp(service: string, entityId = `https://idp.example.com/${randomUUID()}`): TestIdp {
  const ownKey = rsa()
  const certificate = certificateOf(ownKey, 'idp.example.com').toString('base64')
  const xmlOf = (said: Partial<Said> & Pick<Said, 'nameId'>) =>
    responseXml({
      issuer: entityId,
      format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      email: `${said.nameId}@corp.example`,
      attributes: {},
      audience: `${service}/metadata`,
      recipient: `${service}/acs`,
      inResponseTo: '',
      notOnOrAfter: new Date(Date.now() + 300_000),
      sessionEnd: null,
      ...said,
    })
  return {
    entityId,
    metadata: `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="https://idp.example.com/sso"/></IDPSSODescriptor></EntityDescriptor>`,
    readRequest(url) {
      const { searchParams } = new URL(url)
      const xml = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
      const member = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(xml)?.[1] ?? ''
      return { id: member('ID'), acs: member('AssertionConsumerServiceURL'), issuer: /Issuer[^>]*>([^<]*)</.exec(xml)?.[1] ?? '', relayState: searchParams.get('RelayState') ?? '', isSigned: searchParams.has('Signature') }
    },
    respond(said, { signed = 'assertion', tamper = (xml: string) => xml, key = ownKey } = {}) {
      const xml = xmlOf(said)
      const signedXml = signed === 'nothing' ? xml : sign(xml, signed === 'assertion' ? 'Assertion' : 'Response', key)
      return Buffer.from(tamper(signedXml)).toString('base64')
    },
    async respondEncrypted(said, { signed = 'assertion', tamper = (xml: string) => xml, key = ownKey, ...encrypted }) {
      const inner = signed === 'assertion' ? sign(xmlOf(said), 'Assertion', key) : xmlOf(said)
      const outer = await encryptAssertion(inner, encrypted)
      return Buffer.from(tamper(signed === 'response' ? sign(outer, 'Response', key) : outer)).toString('base64')
    },
  }
}
