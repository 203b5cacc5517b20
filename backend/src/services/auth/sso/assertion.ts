import { invalidRequest, authError } from '#services/auth/errors.ts'

/** One entry of a provider's `attribute_mapping.keys`: which attribute a claim is read from. */
export interface MappedAttribute {
  name?: string | undefined
  names?: readonly string[] | undefined
  default?: unknown
  array?: boolean | undefined
}

/** `attribute_mapping` as administrators give it. */
export interface AttributeMapping {
  keys?: Readonly<Record<string, MappedAttribute>> | undefined
}

/** What a verified assertion says. */
export interface Assertion {
  id: string
  issuer: string
  nameId: { value: string; format: string }
  /** Values by attribute, each under its name and its friendly name. */
  attributes: readonly { names: readonly string[]; values: readonly string[] }[]
  confirmations: readonly { method: string; recipient: string; inResponseTo: string; notOnOrAfter: string }[]
  notOnOrAfter: Date | null
  /** When the identity provider wants the session to end. */
  sessionEnd: Date | null
}

// The library parses XML into `{ $: attributes, _: text, Child: [...] }`.
type Parsed = { $?: Record<string, string>; _?: string } & { [child: string]: unknown }

const children = (parent: unknown, name: string): Parsed[] => {
  const found = typeof parent === 'object' && parent !== null ? (parent as Record<string, unknown>)[name] : undefined
  return Array.isArray(found) ? found.map((one): Parsed => (typeof one === 'string' ? { _: one } : (one as Parsed))) : []
}
const attribute = (element: Parsed | undefined, name: string): string => element?.$?.[name] ?? ''
const textOf = (element: Parsed | undefined): string => (typeof element?._ === 'string' ? element._.trim() : '')

function readMoment(text: string): Date | null {
  const moment = new Date(text)
  return text === '' || Number.isNaN(moment.getTime()) ? null : moment
}

/** @param parsed the signed assertion, as the library gives it: `{ Assertion: … }`. */
export function readAssertion(parsed: unknown): Assertion {
  const assertion = (parsed as { Assertion?: Parsed }).Assertion
  const [subject] = children(assertion, 'Subject')
  const [nameId] = children(subject, 'NameID')
  const statements = children(assertion, 'AttributeStatement').flatMap((one) => children(one, 'Attribute'))
  const [conditions] = children(assertion, 'Conditions')
  const ends = children(assertion, 'AuthnStatement').map((one) => readMoment(attribute(one, 'SessionNotOnOrAfter')))
  return {
    id: attribute(assertion, 'ID'),
    issuer: textOf(children(assertion, 'Issuer')[0]),
    nameId: { value: textOf(nameId), format: attribute(nameId, 'Format') },
    attributes: statements.map((one) => ({
      names: [attribute(one, 'Name'), attribute(one, 'FriendlyName')].filter((name) => name !== '').map((name) => name.toLowerCase()),
      values: children(one, 'AttributeValue').map(textOf),
    })),
    confirmations: children(subject, 'SubjectConfirmation').map((one) => {
      const [data] = children(one, 'SubjectConfirmationData')
      return { method: attribute(one, 'Method'), recipient: attribute(data, 'Recipient'), inResponseTo: attribute(data, 'InResponseTo'), notOnOrAfter: attribute(data, 'NotOnOrAfter') }
    }),
    notOnOrAfter: readMoment(attribute(conditions, 'NotOnOrAfter')),
    sessionEnd: ends.find((one) => one !== null) ?? null,
  }
}

const clockSkewMs = 180_000
const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/**
 * Holds a verified assertion against what it must answer: from this identity provider, for this service, now, and to the request
 * that was made. An assertion nobody asked for answers none.
 *
 * @param expected.requestId null where the identity provider began.
 * @throws `validation_failed` (400).
 * @see SAML 2.0 profiles, 4.1.4.3
 */
export function requireMeantForUs({ issuer, confirmations }: Assertion, expected: { issuer: string; acs: string; requestId: string | null; nowMs: number }): void {
  const isFor = ({ method, recipient, inResponseTo, notOnOrAfter }: Assertion['confirmations'][number]) =>
    method === bearer &&
    recipient === expected.acs &&
    inResponseTo === (expected.requestId ?? '') &&
    (readMoment(notOnOrAfter)?.getTime() ?? 0) + clockSkewMs > expected.nowMs
  if (issuer !== expected.issuer || !confirmations.some(isFor)) throw invalidRequest('SAML Assertion is not valid')
}

const valuesOf = ({ attributes }: Assertion, name: string): string[] =>
  attributes.filter(({ names }) => names.includes(name.toLowerCase())).flatMap(({ values }) => values).filter((value) => value !== '')

const subjectIdAttribute = 'urn:oasis:names:tc:SAML:attribute:subject-id'
const nameIdFormats = { email: 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress', transient: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }

const emailAttributes = [
  'urn:oid:0.9.2342.19200300.100.1.3',
  'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
  'http://schemas.xmlsoap.org/claims/EmailAddress',
  'mail',
  'email',
]

/**
 * The person's id at the identity provider.
 *
 * @throws `saml_assertion_no_user_id` (400) where there is none that stays the same.
 */
export function subjectOf(assertion: Assertion): string {
  const [named] = valuesOf(assertion, subjectIdAttribute)
  const { value, format } = assertion.nameId
  const subject = named ?? (format === nameIdFormats.transient ? '' : format === nameIdFormats.email ? value.toLowerCase() : value)
  if (subject === '') throw authError('saml_assertion_no_user_id', { message: 'SAML Assertion did not contain a persistent Subject Identifier attribute or Subject NameID uniquely identifying this user' })
  return subject
}

/** What the operator's mapping makes of the attributes. */
export function mappedClaims(assertion: Assertion, mapping: AttributeMapping): Record<string, unknown> {
  const claims = new Map<string, unknown>()
  for (const [key, { name, names = [], default: fallback, array }] of Object.entries(mapping.keys ?? {})) {
    const found = [name ?? '', ...names].filter((one) => one !== '').map((one) => valuesOf(assertion, one)).find((values) => values.length > 0)
    const value = found === undefined ? fallback : array === true ? found : found[0]
    if (value !== undefined && value !== null) claims.set(key, value)
  }
  return Object.fromEntries(claims)
}

/** @throws `saml_assertion_no_email` (400). */
export function emailOf(assertion: Assertion, claims: Readonly<Record<string, unknown>>): string {
  const mapped = typeof claims.email === 'string' ? claims.email : ''
  const told = emailAttributes.flatMap((name) => valuesOf(assertion, name))[0] ?? ''
  const named = assertion.nameId.format === nameIdFormats.email ? assertion.nameId.value : ''
  const email = mapped || told || named
  if (email === '') throw authError('saml_assertion_no_email', { message: 'SAML Assertion does not contain an email address' })
  return email
}
