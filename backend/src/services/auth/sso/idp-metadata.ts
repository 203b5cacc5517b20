import { DOMParser, onErrorStopParsing, type Document, type Element } from '@xmldom/xmldom'

import { invalidRequest } from '#services/auth/errors.ts'

/** What an identity provider says of itself. */
export interface IdpMetadata {
  entityId: string
  /** Where people are sent, by the redirect binding. */
  signInUrl: string
  /** Base64 of the certificates its assertions are signed with. */
  certificates: readonly string[]
  validUntil: Date | null
  /** Seconds after which it wants to be asked again; null: it does not say. */
  cacheSeconds: number | null
}

const protocolNamespace = 'urn:oasis:names:tc:SAML:2.0:metadata'
const redirectBinding = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'

/** Longest metadata read, in characters. */
const longestMetadata = 512 * 1024

function parseXml(xml: string): Document {
  // A document type could name files and addresses; metadata has none.
  if (xml.length > longestMetadata || /<!DOCTYPE/i.test(xml)) throw invalidRequest('SAML Metadata XML could not be parsed')
  try {
    return new DOMParser({ onError: onErrorStopParsing }).parseFromString(xml, 'text/xml')
  } catch (cause) {
    throw Object.assign(invalidRequest('SAML Metadata XML could not be parsed'), { cause })
  }
}

const elements = (parent: Document | Element, name: string, namespace = protocolNamespace): Element[] => [...parent.getElementsByTagNameNS(namespace, name)]

const durationForm = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/
const unitSeconds = [31_536_000, 2_592_000, 86_400, 3600, 60, 1]

// `PT1H`: xs:duration, years and months as 365 and 30 days.
function readSeconds(text: string | null): number | null {
  const parts = durationForm.exec(text ?? '')
  return parts ? unitSeconds.reduce((sum, unit, at) => sum + unit * Number(parts[at + 1] ?? 0), 0) : null
}

function readMoment(text: string | null): Date | null {
  const moment = new Date(text ?? '')
  return Number.isNaN(moment.getTime()) ? null : moment
}

function certificatesOf(descriptor: Element): string[] {
  const keys = elements(descriptor, 'KeyDescriptor').filter((key) => key.getAttribute('use') !== 'encryption')
  const texts = keys.flatMap((key) => elements(key, 'X509Certificate', signatureNamespace)).map((one) => (one.textContent ?? '').replace(/\s+/g, ''))
  return [...new Set(texts.filter((one) => /^[\w+/]+=*$/.test(one)))]
}

/**
 * Reads an identity provider's metadata.
 *
 * @throws `validation_failed` (400) in the hosted backend's words, and where it names no place to sign in or no certificate.
 * @see supabase/auth internal/api/ssoadmin.go, `parseSAMLMetadata`
 */
export function readIdpMetadata(xml: string): IdpMetadata {
  const root = parseXml(xml).documentElement
  const entity = root?.localName === 'EntityDescriptor' && root.namespaceURI === protocolNamespace ? root : elements(root ?? parseXml('<x/>'), 'EntityDescriptor')[0]
  const entityId = entity?.getAttribute('entityID') ?? ''
  if (!entity || entityId === '') throw invalidRequest('SAML Metadata does not contain an EntityID')
  const [descriptor, ...others] = elements(entity, 'IDPSSODescriptor')
  if (!descriptor) throw invalidRequest('SAML Metadata does not contain any IDPSSODescriptor')
  if (others.length > 0) throw invalidRequest('SAML Metadata contains multiple IDPSSODescriptors')
  const signInUrl = elements(descriptor, 'SingleSignOnService').find((one) => one.getAttribute('Binding') === redirectBinding)?.getAttribute('Location') ?? ''
  if (!URL.canParse(signInUrl) || !/^https?:$/.test(new URL(signInUrl).protocol)) throw invalidRequest('SAML Metadata does not contain a SingleSignOnService with the HTTP-Redirect binding')
  const certificates = certificatesOf(descriptor)
  if (certificates.length === 0) throw invalidRequest('SAML Metadata does not contain a signing certificate')
  return { entityId, signInUrl, certificates, validUntil: readMoment(entity.getAttribute('validUntil')), cacheSeconds: readSeconds(entity.getAttribute('cacheDuration')) }
}
