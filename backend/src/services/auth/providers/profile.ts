/** An e-mail address as a provider tells it. */
export interface ProfileEmail {
  email: string
  isVerified: boolean
  isPrimary: boolean
}

/** What a provider tells of a person. Claims go by their hosted names, `sub` first of all; empty ones are left out when stored. */
export interface Profile {
  emails: readonly ProfileEmail[]
  claims: Readonly<Record<string, unknown>>
}

/** A person as their identity is stored. */
export interface ProvidedIdentity {
  /** The person's id at the provider. */
  subject: string
  emails: readonly ProfileEmail[]
  /** What becomes `identity_data` and, for new people, `user_metadata`. */
  data: Readonly<Record<string, unknown>> & { sub: string }
}

/** Longest claim that is kept, in characters. A profile travels in each access token. */
const longestClaim = 2048
/** Most that is kept of claims of the provider's own, as JSON in characters. */
const longestCustomClaims = 8192
const longestSubject = 255

function step(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined
  return (value as Record<string, unknown>)[name]
}

/** The member at a path of parsed JSON; undefined where there is none. */
export const member = (value: unknown, ...path: string[]): unknown => path.reduce(step, value)

// Postgres keeps no NUL character, and half of a pair of UTF-16 is none.
const clean = (text: string): string => Buffer.from(text.replaceAll('\u0000', '')).toString()

/** A text at a path; numbers are spelt out; empty where there is neither. */
export function text(value: unknown, ...path: string[]): string {
  const found = member(value, ...path)
  if (typeof found === 'number') return String(found)
  return typeof found === 'string' && found.length <= longestClaim ? clean(found) : ''
}

/** Whether a path holds `true`; the text `true` counts, as some providers send it. */
export function flag(value: unknown, ...path: string[]): boolean {
  const found = member(value, ...path)
  return found === true || found === 'true'
}

/** The list at a path; empty where there is none. */
export function list(value: unknown, ...path: string[]): readonly unknown[] {
  const found = member(value, ...path)
  return Array.isArray(found) ? found : []
}

/** The one address most providers tell. */
export const oneEmail = (email: string, isVerified: boolean): ProfileEmail[] => (email === '' ? [] : [{ email, isVerified, isPrimary: true }])

/** A name of two parts, either of which may be missing. */
export const fullName = (first: string, last: string): string => `${first} ${last}`.trim()

/** Who, name and picture, the older names of these claims included: apps still read those. */
export const pictured = (sub: string, name: string, picture: string) => ({ sub, provider_id: sub, name, full_name: name, picture, avatar_url: picture })

const usualAddress = /^[^\s@"<>]{1,64}@[^\s@"<>]{1,190}$/

function isKept(name: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0) return false
  if (name === 'custom_claims') return typeof value === 'object' && Object.keys(value).length > 0 && JSON.stringify(value).length <= longestCustomClaims
  return typeof value !== 'string' || value.length <= longestClaim
}

function cleanDeep(value: unknown): unknown {
  if (typeof value === 'string') return clean(value)
  if (Array.isArray(value)) return value.map(cleanDeep)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [clean(name), cleanDeep(inner)]))
}

// ASCII alone: letters of other scripts that fold into ours would make one address of two people's.
const lowerCase = (address: string): string => address.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

function mainEmail(emails: readonly ProfileEmail[]): ProfileEmail | undefined {
  return emails.find((one) => one.isPrimary) ?? emails.at(-1)
}

/**
 * What is kept of a profile: bounded in size, with addresses in lower case; what is no address counts as none.
 *
 * @throws Error when the provider does not say who it is.
 * @see supabase/auth internal/api/provider/provider.go, `Claims`
 */
export function identityOf(profile: Profile): ProvidedIdentity {
  const emails = profile.emails.filter(({ email }) => usualAddress.test(email)).map((one) => ({ ...one, email: lowerCase(one.email) }))
  const subject = text(profile.claims, 'sub')
  if (subject === '' || subject.length > longestSubject) throw new Error('the provider does not say whose profile this is')
  const main = mainEmail(emails)
  const { email: _email, email_verified: _verified, ...claims } = profile.claims
  const kept = Object.entries(claims).filter(([name, value]) => isKept(name, value))
  return {
    subject,
    emails,
    data: {
      ...(cleanDeep(Object.fromEntries(kept)) as Record<string, unknown>),
      ...(main ? { email: main.email } : {}),
      email_verified: main?.isVerified ?? false,
      phone_verified: profile.claims.phone_verified === true,
      sub: subject,
    },
  }
}
