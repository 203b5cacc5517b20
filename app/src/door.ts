import type { BrandText } from './brand.ts'

/** A provider that the project itself does not name in its settings. */
export interface DoorProvider {
  /** As the auth service spells it: `x`, `custom:acme`. */
  id: string
  name: string
  /** Address of an image. */
  icon?: string
}

/** One more thing asked at sign-up; the answer goes into the person's `user_metadata` under `key`. */
export interface SignUpField {
  key: string
  label: BrandText
  kind: 'text' | 'number' | 'date' | 'url' | 'choice' | 'switch'
  /** What a `choice` offers; the answer is the text itself. */
  choices?: readonly string[]
  required: boolean
}

export type Wallet = 'ethereum' | 'solana'
export type CharacterClass = 'letters' | 'lower' | 'upper' | 'digits' | 'symbols'
export type FactorKind = 'totp' | 'phone' | 'webauthn'

/** What an operator says of the door in `portico.json`: what the project's own settings do not tell, and choices of taste. */
export interface Door {
  /** One question a step, the address first. False: address and password together. */
  identifierFirst: boolean
  providers: readonly DoorProvider[]
  /** Undefined: as the project's settings say. */
  sso?: boolean
  guests?: boolean
  passkeys?: boolean
  wallets: readonly Wallet[]
  captcha?: { provider: 'hcaptcha' | 'turnstile'; siteKey: string; script?: string }
  password: { minLength: number; classes: readonly CharacterClass[] }
  /** Undefined kinds: every kind is offered until the server refuses it. */
  secondFactor: { kinds?: readonly FactorKind[]; required: boolean }
  signUp: {
    fields: readonly SignUpField[]
    /** The brand's terms and privacy links have to be agreed to. */
    agree: boolean
    /** Said in place of the form where new accounts are closed. */
    closedText?: BrandText
    /** An address of an app page, https, or `mailto:`. */
    closedContact?: string
  }
  /** A box that decides whether the session outlives the browser window. */
  rememberMe: boolean
  /** False: nobody is invited to add a passkey or a second step after signing in. */
  nudge?: boolean
}

/** One thing wrong with the door's settings; `code` is a key of the catalogue's `connect.faults`. */
export interface DoorFault {
  at: string
  code: 'door' | 'door-switch' | 'door-list' | 'door-provider' | 'door-captcha' | 'door-password' | 'door-field' | 'door-text' | 'door-link'
}

/** What reading `door` of `portico.json` gives: every fault at once, what is faulty left out. */
export type ReadDoor = (value: unknown, at: string) => { door?: Door; faults: readonly DoorFault[] }

/** The door of a project whose operator has said nothing. */
export const usualDoor: Door = {
  identifierFirst: true,
  providers: [],
  wallets: [],
  password: { minLength: 6, classes: [] },
  secondFactor: { required: false },
  signUp: { fields: [], agree: false },
  rememberMe: false,
}
