/** `[auth.webauthn]`: for whom authenticators sign. */
export interface WebauthnSettings {
  /** The host name credentials are bound to, no scheme and no port: `example.com`. */
  rpId: string
  /** Shown by the authenticator. */
  rpDisplayName: string
  /** Where the ceremony may take place: `https://app.example.com`. Compared as a whole, port included. */
  rpOrigins: readonly string[]
}

/** `[auth.passkey]` */
export interface PasskeySettings {
  enabled: boolean
  maxPerPerson: number
}

/** @see supabase/auth internal/conf/configuration.go, `WebAuthnConfiguration`, `PasskeyConfiguration` */
export const defaultWebauthnSettings: WebauthnSettings = { rpId: 'localhost', rpDisplayName: 'localhost', rpOrigins: ['http://localhost:54321'] }
export const defaultPasskeySettings: PasskeySettings = { enabled: false, maxPerPerson: 10 }

/** Life of a challenge. */
export const ceremonySeconds = 300
