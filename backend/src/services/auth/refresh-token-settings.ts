/**
 * How refresh tokens are made.
 *
 * @see supabase/auth internal/conf/configuration.go, `SecurityConfiguration`
 */
export interface RefreshTokenSettings {
  /** 1: twelve letters, a row each. 2: signed, a number in the session's row. New sessions get this kind; known tokens of both are traded. */
  version: 1 | 2
  /** With version 2: how many of a hundred sessions of the first kind go over to the second at their next refresh. */
  upgradePercentage: number
  /** Tokens of the second kind may be used again, however old. */
  allowReuse: boolean
}

export const defaultRefreshTokenSettings: RefreshTokenSettings = { version: 1, upgradePercentage: 0, allowReuse: false }
