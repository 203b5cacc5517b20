/** One `[auth.external.*]` that is switched on. */
export interface ExternalProvider {
  /** The first is used to sign in; ID tokens for any of them are taken. */
  clientIds: readonly string[]
  secret: string
  /** Where a provider that is run by oneself stands; empty: the provider's own place. */
  url: string
  /** Empty: `<auth>/callback`. */
  redirectUri: string
  /** ID tokens are taken whatever nonce they hold. */
  skipNonceCheck: boolean
  /** People without an e-mail address may come in. */
  emailOptional: boolean
  /** The local identity provider answers in its place. */
  isLocal: boolean
}

export interface ProviderSettings {
  /** By name: `google`, `keycloak`. */
  external: Readonly<Record<string, ExternalProvider>>
  /** Providers may be added by the admin API. */
  customEnabled: boolean
  /** Most providers added by the admin API; 0: no bound. */
  mostCustom: number
  /** The issuer of the local identity provider; left out while it is not open. */
  localIssuer?: string
}

export const defaultProviderSettings: ProviderSettings = { external: {}, customEnabled: true, mostCustom: 100 }
