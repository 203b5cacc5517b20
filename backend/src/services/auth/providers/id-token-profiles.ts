import type { JWTPayload } from 'jose'

import { flag, oneEmail, text, type Profile } from './profile.ts'

/** Issuers that spell their claims in their own way. */
export const knownIssuers = {
  google: 'https://accounts.google.com',
  linkedin: 'https://www.linkedin.com/oauth',
  kakao: 'https://kauth.kakao.com',
  vercel_marketplace: 'https://marketplace.vercel.com',
  facebook: 'https://www.facebook.com',
  snapchat: 'https://accounts.snapchat.com/accounts/oauth2/token',
  apple: 'https://appleid.apple.com',
  otherApple: 'https://account.apple.com',
} as const

export const isAppleIssuer = (issuer: string): boolean => issuer === knownIssuers.apple || issuer === knownIssuers.otherApple
export const isAzureIssuer = (issuer: string): boolean => /^https:\/\/login\.microsoftonline\.com\/[^/]+\/v2\.0\/?$/.test(issuer)
export const isAzureCustomerIssuer = (issuer: string): boolean => /^https:\/\/[a-z0-9-]+\.ciamlogin\.com\/[^/]+\/v2\.0\/?$/.test(issuer)

type ReadClaims = (claims: JWTPayload) => Profile

const named = (claims: JWTPayload) => ({ iss: text(claims, 'iss'), sub: text(claims, 'sub'), provider_id: text(claims, 'sub') })

const google: ReadClaims = (claims) => ({
  emails: oneEmail(text(claims, 'email'), flag(claims, 'email_verified') || flag(claims, 'verified_email')),
  claims: {
    ...named(claims),
    name: text(claims, 'name'),
    picture: text(claims, 'picture'),
    avatar_url: text(claims, 'picture'),
    full_name: text(claims, 'name'),
    custom_claims: text(claims, 'hd') === '' ? undefined : { hd: text(claims, 'hd') },
  },
})

const facebook: ReadClaims = (claims) => ({
  emails: oneEmail(text(claims, 'email'), true),
  claims: { ...named(claims), name: text(claims, 'name'), picture: text(claims, 'picture') },
})

const apple: ReadClaims = (claims) => ({
  emails: oneEmail(text(claims, 'email'), true),
  claims: {
    ...named(claims),
    custom_claims: {
      ...(claims.is_private_email === undefined ? {} : { is_private_email: flag(claims, 'is_private_email') }),
      ...(typeof claims.auth_time === 'number' ? { auth_time: claims.auth_time } : {}),
      ...(text(claims, 'transfer_sub') === '' ? {} : { transfer_sub: text(claims, 'transfer_sub') }),
    },
  },
})

const linkedin: ReadClaims = (claims) => ({
  emails: oneEmail(text(claims, 'email'), flag(claims, 'email_verified')),
  claims: {
    ...named(claims),
    name: `${text(claims, 'given_name')} ${text(claims, 'family_name')}`.trim(),
    given_name: text(claims, 'given_name'),
    family_name: text(claims, 'family_name'),
    locale: text(claims, 'locale'),
    picture: text(claims, 'picture'),
  },
})

// Microsoft tells whether the owner of the domain was verified, in three spellings; where it says nothing, the project has not asked
// for it, and the address counts as verified, as on the hosted backend.
function isAzureEmailVerified(claims: JWTPayload): boolean {
  const told = claims.xms_edov
  return told === undefined || told === null || told === true || told === '1' || told === 'true'
}

const notAzureClaims = new Set([
  'aud', 'iss', 'iat', 'nbf', 'exp', 'c_hash', 'at_hash', 'aio', 'nonce', 'rh', 'uti', 'jti', 'ver', 'sub', 'name', 'preferred_username',
])

const azure: ReadClaims = (claims) => ({
  emails: oneEmail(text(claims, 'email'), isAzureEmailVerified(claims)),
  claims: {
    ...named(claims),
    preferred_username: text(claims, 'preferred_username'),
    full_name: text(claims, 'name'),
    custom_claims: Object.fromEntries(Object.entries(claims).filter(([name]) => !notAzureClaims.has(name))),
  },
})

const kakao: ReadClaims = (claims) => ({
  emails: oneEmail(text(claims, 'email'), true),
  claims: { ...named(claims), name: text(claims, 'nickname'), preferred_username: text(claims, 'nickname'), picture: text(claims, 'picture') },
})

const vercel: ReadClaims = (claims) => {
  const global = text(claims, 'global_user_id')
  const sub = global === '' ? text(claims, 'sub') : `global_user_id:${global}`
  return {
    emails: oneEmail(text(claims, 'user_email'), true),
    claims: { iss: text(claims, 'iss'), sub, provider_id: sub, name: text(claims, 'user_name'), picture: text(claims, 'user_avatar_url') },
  }
}

/** The claims of the OpenID standard that are kept, by their own names. */
export const standardClaims = [
  'iss', 'sub', 'name', 'family_name', 'given_name', 'middle_name', 'nickname', 'preferred_username', 'profile', 'picture', 'website',
  'gender', 'birthdate', 'zoneinfo', 'locale', 'full_name', 'avatar_url', 'slug', 'provider_id', 'user_name', 'phone',
] as const

/** Reads claims that are spelt as OpenID has them. */
export function readStandardClaims(claims: Readonly<Record<string, unknown>>): Profile {
  return {
    emails: oneEmail(text(claims, 'email'), claims.email_verified === true),
    claims: {
      ...Object.fromEntries(standardClaims.map((name) => [name, text(claims, name)])),
      ...(claims.aud === undefined ? {} : { aud: [claims.aud].flat().map(String) }),
      ...(typeof claims.iat === 'number' ? { iat: claims.iat } : {}),
      ...(typeof claims.exp === 'number' ? { exp: claims.exp } : {}),
      phone_verified: claims.phone_verified === true,
    },
  }
}

const snapchat: ReadClaims = (claims) => ({ ...readStandardClaims(claims), emails: oneEmail(text(claims, 'email'), true) })

const byIssuer: Readonly<Record<string, ReadClaims>> = {
  [knownIssuers.google]: google,
  [knownIssuers.linkedin]: linkedin,
  [knownIssuers.kakao]: kakao,
  [knownIssuers.vercel_marketplace]: vercel,
  [knownIssuers.facebook]: facebook,
  [knownIssuers.snapchat]: snapchat,
}

/** Reads a checked ID token the way its issuer writes it. @see supabase/auth internal/api/provider/oidc.go, `ParseIDToken` */
export function readIdTokenProfile(claims: JWTPayload): Profile {
  const issuer = claims.iss ?? ''
  if (isAzureIssuer(issuer)) return azure(claims)
  if (isAppleIssuer(issuer)) return apple(claims)
  return (byIssuer[issuer] ?? readStandardClaims)(claims)
}
