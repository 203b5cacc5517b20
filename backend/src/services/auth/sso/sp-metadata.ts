import type { Auth } from '#services/auth/auth.ts'
import type { Call } from '#services/auth/call.ts'

import { wantedCiphers } from './encryption.ts'
import { requireSaml } from './saml-switch.ts'
import { ownCertificate, samlAddresses } from './service-provider.ts'

const escapeXml = (text: string): string => text.replace(/[<>&"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const nameIdFormats = ['urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress', 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent']

/** Years for which a downloaded file is good. */
const downloadYears = 5

/**
 * `GET /sso/saml/metadata`: what an identity provider needs to know of this service; `?download=true` as a file.
 *
 * @throws `saml_provider_disabled` (404).
 * @see supabase/auth internal/api/saml.go, `SAMLMetadata`
 */
export async function getSamlMetadata(auth: Auth, call: Call): Promise<Response> {
  requireSaml(auth)
  const { entityId, acs } = samlAddresses(auth)
  const isDownload = call.query.get('download') === 'true'
  const until = auth.now()
  until.setUTCFullYear(until.getUTCFullYear() + downloadYears)
  const keyInfo = `<KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${ownCertificate(auth)}</X509Certificate></X509Data></KeyInfo>`
  const ciphers = wantedCiphers.map((algorithm) => `<EncryptionMethod Algorithm="${algorithm}"/>`).join('')
  const encryptionXml = auth.settings.saml.allowsEncryption ? `\n    <KeyDescriptor use="encryption">${keyInfo}${ciphers}</KeyDescriptor>` : ''
  const xml = `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${escapeXml(entityId)}"${isDownload ? ` validUntil="${until.toISOString()}"` : ''}>
  <SPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" WantAssertionsSigned="true">
    <KeyDescriptor use="signing">${keyInfo}</KeyDescriptor>${encryptionXml}
${nameIdFormats.map((format) => `    <NameIDFormat>${format}</NameIDFormat>`).join('\n')}
    <AssertionConsumerService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST" Location="${escapeXml(acs)}" index="1" isDefault="true"/>
  </SPSSODescriptor>
</EntityDescriptor>
`
  return new Response(xml, {
    headers: {
      'content-type': 'application/xml',
      'cache-control': 'public, max-age=600',
      ...(isDownload ? { 'content-disposition': 'attachment; filename="metadata.xml"' } : {}),
    },
  })
}
