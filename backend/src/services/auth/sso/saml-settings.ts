import type { KeyObject } from 'node:crypto'

/** How this project is a SAML service provider. */
export interface SamlSettings {
  /** RSA, 2048 bits or more; signs requests, and is shown as a certificate in the metadata. Left out: SAML is off. */
  privateKey?: KeyObject
  /** Whether assertions may come encrypted for the key; it is then shown for that too. */
  allowsEncryption?: boolean
  /** Where the service is reached, when not at the auth service's own address; no trailing slash. */
  externalUrl?: string
  /** Seconds between being sent to the identity provider and coming back. */
  relayStateSeconds: number
}

/** Off, as on the hosted backend. */
export const defaultSamlSettings: SamlSettings = { relayStateSeconds: 120 }
