import { isoMoment, momentMs } from './moments.ts'

/** One way a person signs in. Moments as Postgres writes them. */
export interface Identity {
  id: string
  /** The person's id at the provider; their own user id for `email` and `phone`. */
  providerId: string
  userId: string
  identityData: Record<string, unknown>
  provider: string
  lastSignInAt: string | null
  createdAt: string
  updatedAt: string
  email: string | null
}

/** A second factor as the person may see it. */
export interface Factor {
  id: string
  createdAt: string
  updatedAt: string
  status: 'verified' | 'unverified'
  friendlyName: string | null
  factorType: string
  phone: string | null
  lastChallengedAt: string | null
}

/** A person, read with identities and factors in one statement. Moments as Postgres writes them; unset tokens are empty. */
export interface User {
  id: string
  aud: string
  role: string
  email: string
  phone: string
  encryptedPassword: string | null
  emailConfirmedAt: string | null
  phoneConfirmedAt: string | null
  confirmedAt: string | null
  invitedAt: string | null
  confirmationToken: string
  confirmationSentAt: string | null
  recoveryToken: string
  recoverySentAt: string | null
  emailChangeTokenCurrent: string
  emailChangeTokenNew: string
  emailChange: string
  emailChangeSentAt: string | null
  emailChangeConfirmStatus: number
  phoneChange: string
  phoneChangeToken: string
  phoneChangeSentAt: string | null
  reauthenticationToken: string
  reauthenticationSentAt: string | null
  lastSignInAt: string | null
  appMetadata: Record<string, unknown>
  userMetadata: Record<string, unknown>
  isSsoUser: boolean
  isAnonymous: boolean
  createdAt: string
  updatedAt: string
  bannedUntil: string | null
  deletedAt: string | null
  identities: Identity[]
  factors: Factor[]
}

export const isConfirmed = (user: User): boolean => user.emailConfirmedAt !== null
export const isPhoneConfirmed = (user: User): boolean => user.phoneConfirmedAt !== null
export const hasPassword = (user: User): boolean => (user.encryptedPassword ?? '') !== ''
export const hasVerifiedFactor = (user: User): boolean => user.factors.some((factor) => factor.status === 'verified')
export const isBanned = (user: User, nowMs: number): boolean => user.bannedUntil !== null && nowMs < momentMs(user.bannedUntil)

/** The providers of the person's identities, oldest first, each once. */
export const providersOf = (identities: readonly Identity[]): string[] => [...new Set(identities.map((identity) => identity.provider))]

/** Merges changes into metadata; null takes a key away. */
export function mergeMetadata(known: Readonly<Record<string, unknown>>, changes: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const merged = new Map(Object.entries(known))
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) merged.delete(key)
    else merged.set(key, value)
  }
  return Object.fromEntries(merged)
}

const optional = (name: string, moment: string | null) => (moment === null ? {} : { [name]: isoMoment(moment) })
const optionalText = (name: string, text: string | null) => (text ? { [name]: text } : {})

function identityBody(identity: Identity): Record<string, unknown> {
  return {
    identity_id: identity.id,
    id: identity.providerId,
    user_id: identity.userId,
    identity_data: identity.identityData,
    provider: identity.provider,
    ...optional('last_sign_in_at', identity.lastSignInAt),
    created_at: isoMoment(identity.createdAt),
    updated_at: isoMoment(identity.updatedAt),
    ...optionalText('email', identity.email),
  }
}

/** A second factor as the API answers it. */
export function factorBody(factor: Factor): Record<string, unknown> {
  return {
    id: factor.id,
    created_at: isoMoment(factor.createdAt),
    updated_at: isoMoment(factor.updatedAt),
    status: factor.status,
    ...optionalText('friendly_name', factor.friendlyName),
    factor_type: factor.factorType,
    ...optionalText('phone', factor.phone),
    ...optional('last_challenged_at', factor.lastChallengedAt),
  }
}

/**
 * A person as the API answers them. Unset moments are left out, `email` and `phone` are `''` when unset.
 *
 * @see supabase/auth internal/models/user.go, `User`
 */
export function userBody(user: User): Record<string, unknown> {
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email,
    ...optional('email_confirmed_at', user.emailConfirmedAt),
    ...optional('invited_at', user.invitedAt),
    phone: user.phone,
    ...optional('phone_confirmed_at', user.phoneConfirmedAt),
    ...optional('confirmation_sent_at', user.confirmationSentAt),
    ...optional('confirmed_at', user.confirmedAt),
    ...optional('recovery_sent_at', user.recoverySentAt),
    ...optionalText('new_email', user.emailChange),
    ...optional('email_change_sent_at', user.emailChangeSentAt),
    ...optionalText('new_phone', user.phoneChange),
    ...optional('phone_change_sent_at', user.phoneChangeSentAt),
    ...optional('reauthentication_sent_at', user.reauthenticationSentAt),
    ...optional('last_sign_in_at', user.lastSignInAt),
    app_metadata: user.appMetadata,
    user_metadata: user.userMetadata,
    factors: user.factors.map(factorBody),
    identities: user.identities.map(identityBody),
    created_at: isoMoment(user.createdAt),
    updated_at: isoMoment(user.updatedAt),
    ...optional('banned_until', user.bannedUntil),
    ...optional('deleted_at', user.deletedAt),
    is_anonymous: user.isAnonymous,
  }
}
