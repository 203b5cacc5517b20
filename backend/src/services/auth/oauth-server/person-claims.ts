import { momentMs } from '#services/auth/moments.ts'
import { isConfirmed, isPhoneConfirmed, type User } from '#services/auth/user.ts'

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

/** What the scope `profile` opens, in the words of OpenID Connect; unset members are left out. `updated_at` in seconds. */
export function profileClaims({ userMetadata, email, updatedAt }: User): Record<string, unknown> {
  const members = {
    name: text(userMetadata.name) ?? text(email),
    picture: text(userMetadata.picture) ?? text(userMetadata.avatar_url),
    preferred_username: text(userMetadata.preferred_username) ?? text(userMetadata.username),
    updated_at: Math.floor(momentMs(updatedAt) / 1000),
  }
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== 0))
}

/**
 * The claims of an ID token that the granted scopes open.
 *
 * @see supabase/auth internal/tokens/service.go, `GenerateIDToken`
 */
export function idTokenClaims(user: User, scopes: readonly string[]): Record<string, unknown> {
  const [email, phone] = [scopes.includes('email'), scopes.includes('phone')]
  return {
    ...(email && user.email !== '' ? { email: user.email } : {}),
    email_verified: email && isConfirmed(user),
    ...(phone && user.phone !== '' ? { phone_number: user.phone } : {}),
    phone_number_verified: phone && isPhoneConfirmed(user),
    ...(scopes.includes('profile') ? profileClaims(user) : {}),
  }
}

/**
 * The members of `/oauth/userinfo` that the granted scopes open.
 *
 * @see supabase/auth internal/api/oauthserver/handlers.go, `OAuthUserInfo`
 */
export function userInfoBody(user: User, scopes: readonly string[]): Record<string, unknown> {
  return {
    sub: user.id,
    ...(scopes.includes('email') && user.email !== '' ? { email: user.email } : {}),
    ...(scopes.includes('email') && isConfirmed(user) ? { email_verified: true } : {}),
    ...(scopes.includes('profile') ? { ...profileClaims(user), user_metadata: user.userMetadata } : {}),
    ...(scopes.includes('phone') && user.phone !== '' ? { phone: user.phone } : {}),
    ...(scopes.includes('phone') && isPhoneConfirmed(user) ? { phone_verified: true } : {}),
  }
}
