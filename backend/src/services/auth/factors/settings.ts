/** Whether a kind of second factor may be added, and whether it counts. */
export interface FactorSwitch {
  enroll: boolean
  verify: boolean
}

/** `[auth.mfa]`: the second factors a project wants. */
export interface FactorSettings {
  /** Of one person, unverified ones included. */
  maxEnrolled: number
  totp: FactorSwitch
  phone: FactorSwitch & {
    otpLength: number
    /** `{{ .Code }}` stands for the code. */
    template: string
    /** Least seconds between two messages to one factor. */
    maxFrequencySeconds: number
  }
  webauthn: FactorSwitch
  recoveryCodes: FactorSwitch
}

const on: FactorSwitch = { enroll: true, verify: true }
const off: FactorSwitch = { enroll: false, verify: false }

/** @see supabase/auth internal/conf/configuration.go, `MFAConfiguration` */
export const defaultFactorSettings: FactorSettings = {
  maxEnrolled: 10,
  totp: on,
  phone: { ...off, otpLength: 6, template: 'Your code is {{ .Code }}', maxFrequencySeconds: 60 },
  webauthn: off,
  recoveryCodes: on,
}

/** Life of a challenge, and of a factor nobody finished to enrol. */
export const challengeLifeSeconds = 300
