import type { Auth } from '#services/auth/auth.ts'

import { certificateOf } from './certificate.ts'
import type { Encryption } from './encryption.ts'
import type { IdpMetadata } from './idp-metadata.ts'
import { SAML, ValidateInResponseTo } from './saml-library.ts'

/** Most two clocks may differ. */
const clockSkewMs = 180_000

/** The addresses this service has towards identity providers. */
export function samlAddresses({ settings }: Auth): { entityId: string; acs: string; host: string } {
  const base = `${settings.saml.externalUrl ?? settings.externalUrl}/sso/saml`
  return { entityId: `${base}/metadata`, acs: `${base}/acs`, host: new URL(base).hostname }
}

/** The certificate of the project's key, as base64 of its DER. */
export function ownCertificate(auth: Auth): string {
  const { privateKey } = auth.settings.saml
  if (!privateKey) throw new Error('SAML is switched off')
  return certificateOf(privateKey, samlAddresses(auth).host).toString('base64')
}

/**
 * This service as one identity provider knows it.
 *
 * @param about the id and the name format of a request that is to be made, or how an answer is encrypted.
 */
export function serviceProviderFor(auth: Auth, idp: IdpMetadata, about: { id?: string; nameIdFormat?: string | null; encryption?: Encryption } = {}): SAML {
  const { privateKey, allowsEncryption } = auth.settings.saml
  if (!privateKey) throw new Error('SAML is switched off')
  const { entityId, acs } = samlAddresses(auth)
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return new SAML({
    issuer: entityId,
    callbackUrl: acs,
    audience: entityId,
    entryPoint: idp.signInUrl,
    idpCert: [...idp.certificates],
    idpIssuer: idp.entityId,
    privateKey: key,
    ...(allowsEncryption ? { decryptionPvk: key } : {}),
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    identifierFormat: about.nameIdFormat ?? 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
    disableRequestedAuthnContext: true,
    // Either the response or the assertion is signed; the library insists on one of them and reads only what is.
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: about.encryption === 'needs a signed response',
    acceptedClockSkewMs: clockSkewMs,
    // Which request an answer belongs to is kept in the database and looked at here (`assertion.ts`).
    validateInResponseTo: ValidateInResponseTo.never,
    ...(about.id === undefined ? {} : { generateUniqueId: () => about.id ?? '' }),
  })
}
