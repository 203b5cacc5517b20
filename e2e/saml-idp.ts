import { randomUUID, type KeyObject } from 'node:crypto'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { inflateRawSync } from 'node:zlib'

/** An organisation's own sign-in, as much of one as has a page with one button and signs what that button sends. */
export interface SamlIdp {
  /** What an administrator gives the project. */
  metadata: string
  close(): Promise<void>
}

export interface SamlIdpOptions {
  key: KeyObject
  /** Base64 of the certificate that carries the key. */
  certificate: string
  /** Who presses the button. */
  email: string
}

interface SignedXml {
  addReference(reference: { xpath: string; transforms: string[]; digestAlgorithm: string }): void
  computeSignature(xml: string, options: { location: { reference: string; action: 'after' } }): void
  getSignedXml(): string
}
const require = createRequire(createRequire(import.meta.url).resolve('@node-saml/node-saml'))
const { SignedXml } = require('xml-crypto') as { SignedXml: new (options: object) => SignedXml }

const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'

function signed(xml: string, key: KeyObject): string {
  const assertion = "//*[local-name(.)='Assertion']"
  const signer = new SignedXml({ privateKey: key.export({ type: 'pkcs8', format: 'pem' }), signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256', canonicalizationAlgorithm: exclusive })
  signer.addReference({ xpath: assertion, transforms: ['http://www.w3.org/2000/09/xmldsig#enveloped-signature', exclusive], digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256' })
  signer.computeSignature(xml, { location: { reference: `${assertion}/*[local-name(.)='Issuer']`, action: 'after' } })
  return signer.getSignedXml()
}

/** Opens it on a port of its own. */
export async function openSamlIdp({ key, certificate, email }: SamlIdpOptions): Promise<SamlIdp> {
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', url)
    const asked = inflateRawSync(Buffer.from(searchParams.get('SAMLRequest') ?? '', 'base64')).toString()
    const member = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(asked)?.[1] ?? ''
    const [acs, requestId] = [member('AssertionConsumerServiceURL'), member(' ID')]
    const audience = /Issuer[^>]*>([^<]*)</.exec(asked)?.[1] ?? ''
    const [now, until] = [new Date().toISOString(), new Date(Date.now() + 300_000).toISOString()]
    const xml = `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="_${randomUUID()}" Version="2.0" IssueInstant="${now}" InResponseTo="${requestId}"><saml:Issuer>${url}</saml:Issuer><samlp:Status><samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Success"/></samlp:Status><saml:Assertion ID="_${randomUUID()}" Version="2.0" IssueInstant="${now}"><saml:Issuer>${url}</saml:Issuer><saml:Subject><saml:NameID Format="urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress">${email}</saml:NameID><saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData Recipient="${acs}" NotOnOrAfter="${until}" InResponseTo="${requestId}"/></saml:SubjectConfirmation></saml:Subject><saml:Conditions NotOnOrAfter="${until}"><saml:AudienceRestriction><saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions></saml:Assertion></samlp:Response>`
    const field = (name: string, value: string) => `<input type="hidden" name="${name}" value="${value}">`
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(`<!doctype html><title>Corp</title><link rel="icon" href="data:,"><h1>Corp</h1><form method="post" action="${acs}">${field('SAMLResponse', Buffer.from(signed(xml, key)).toString('base64'))}${field('RelayState', searchParams.get('RelayState') ?? '')}<button>Go on as ${email}</button></form>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    metadata: `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${url}"><IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data></KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" Location="${url}/sso"/></IDPSSODescriptor></EntityDescriptor>`,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
