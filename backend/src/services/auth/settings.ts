import type { LetterKind } from '#contract/mailer.ts'

import { defaultFactorSettings, type FactorSettings } from './factors/settings.ts'
import { defaultProviderSettings, type ProviderSettings } from './providers/provider-settings.ts'
import { defaultRefreshTokenSettings, type RefreshTokenSettings } from './refresh-token-settings.ts'
import { defaultSamlSettings, type SamlSettings } from './sso/saml-settings.ts'
import { defaultPasskeySettings, defaultWebauthnSettings, type PasskeySettings, type WebauthnSettings } from './webauthn/settings.ts'

/** One mail's own subject and HTML body, in the template language of the hosted backend. */
export interface TemplateSettings {
  subject?: string
  content?: string
}

export interface SmtpSettings {
  host: string
  port: number
  user?: string
  password?: string
  /** Sender address. */
  adminEmail: string
  senderName?: string
}

export interface EmailSettings {
  /** Sign-in and sign-up by e-mail are possible at all. */
  enabled: boolean
  enableSignup: boolean
  /** A change of address is confirmed at the old and at the new one. */
  doubleConfirmChanges: boolean
  /** Off: an address counts as confirmed at sign-up (`mailer_autoconfirm`). */
  enableConfirmations: boolean
  enableMagicLink: boolean
  /** Least seconds between two mails of one kind to one person. */
  maxFrequencySeconds: number
  otpLength: number
  otpExpirySeconds: number
  templates: Readonly<Partial<Record<LetterKind, TemplateSettings>>>
  /** Notices that are sent; all others are not. */
  notifications: readonly LetterKind[]
  /** Left out: mail stays in the local mailbox. */
  smtp?: SmtpSettings
  /** When given, mail goes to these addresses only (labels after `+` ignored). */
  authorizedAddresses: readonly string[]
}

export interface SmsSettings {
  enabled: boolean
  enableSignup: boolean
  enableConfirmations: boolean
  /** `twilio`, `messagebird`, …; shown in `/settings`. Empty: texts end on the local phone, and the hour's count is not kept. */
  provider: string
  /** The words of a text, with `{{ .Code }}` where the code stands. */
  template: string
  /** Least seconds between two texts of one kind to one person. */
  maxFrequencySeconds: number
  otpLength: number
  otpExpirySeconds: number
  /** Numbers, digits alone, whose code is always the same and never sent. */
  testOtp: Readonly<Record<string, string>>
}

export interface PasswordSettings {
  minLength: number
  /** Each entry is a set of characters of which one must occur. */
  requiredCharacters: readonly string[]
  /** A change of password after 24 hours needs a mailed code. */
  requireReauthentication: boolean
  requireCurrentPassword: boolean
  /** Where breached passwords are looked up; left out, they are not. */
  breachedUrl?: string
}

export interface SessionSettings {
  /** Seconds after sign-in at which a session ends; 0: never. */
  timeboxSeconds: number
  /** Seconds without refresh after which a session ends; 0: never. */
  inactivitySeconds: number
  /** Seconds a person with a second factor may stay without giving it; 0: for ever. */
  lowAssuranceSeconds: number
  singlePerUser: boolean
}

/** Requests of one address per window, as `config.toml` counts them. */
export interface RateLimitSettings {
  /** `/token`, per 5 minutes. */
  tokenRefresh: number
  /** `/verify`, per 5 minutes. */
  tokenVerifications: number
  /** `/signup`, `/otp`, `/magiclink`, `/recover`, `/resend`, `PUT /user`, each per 5 minutes. */
  signInSignUps: number
  /** Anonymous sign-ups per hour. */
  anonymousUsers: number
  /** `/oauth/clients/register`, per 5 minutes. */
  clientRegistrations: number
  /** Sign-ins by wallet, per 5 minutes. */
  web3: number
  /** Mails of the whole project per hour; counts only when mail leaves by SMTP. */
  emailSent: number
  /** Texts of the whole project per hour; counts only when a provider takes them. */
  smsSent: number
  /** Whether requests from this machine are counted. Off by default: every browser tab and test shares one address. */
  countLoopback: boolean
}

/** Who tells people from programs. */
export interface CaptchaSettings {
  provider: 'hcaptcha' | 'turnstile'
  secret: string
  /** Another address than the provider's own. */
  url?: string
}

/** What a project can put in between: `pg-functions://…/schema/name`, `https://…`, or `http://` of this machine. */
export interface HookSettings {
  customAccessToken?: string
  beforeUserCreated?: string
  afterUserCreated?: string
  passwordVerificationAttempt?: string
  mfaVerificationAttempt?: string
  sendSms?: string
  sendEmail?: string
  /** `v1,whsec_…`, by hook: what questions over HTTP are signed with. */
  secrets?: Readonly<Partial<Record<Exclude<keyof HookSettings, 'secrets'>, readonly string[]>>>
}

/** The project as a provider of sign-in for other applications: `[auth.oauth_server]`. */
export interface OAuthServerSettings {
  enabled: boolean
  /** Whether an application may register itself. */
  allowDynamicRegistration: boolean
  /** The page that asks the person: a path below `siteUrl`, or a whole address. Empty: there is none. */
  authorizationPath: string
  /** Life of a request for consent, and of the code it ends in. */
  authorizationTtlSeconds: number
  /** What an application gets that names no scope. */
  defaultScope: string
}

/** Everything `[auth]` of the project's `config.toml` decides. */
export interface AuthSettings {
  /** Where the API is reached from outside, no trailing slash: `http://127.0.0.1:54321/auth/v1`. Links in mails start so. */
  externalUrl: string
  /** `iss` of access tokens; left out, `externalUrl`. */
  issuer?: string
  siteUrl: string
  /** Globs: `https://*.example.com/**`. */
  redirectAllowList: readonly string[]
  /** Origins of the box's own app; redirects to them are always allowed. */
  appOrigins: readonly string[]
  jwtExpirySeconds: number
  /** `aud` of tokens and users. */
  audience: string
  enableSignup: boolean
  enableAnonymousSignIns: boolean
  enableManualLinking: boolean
  refreshTokenRotation: boolean
  refreshTokenReuseIntervalSeconds: number
  refreshTokens: RefreshTokenSettings
  /** Life of the `?code=` of a link, from the moment it is handed out. */
  flowStateExpirySeconds: number
  email: EmailSettings
  sms: SmsSettings
  password: PasswordSettings
  sessions: SessionSettings
  factors: FactorSettings
  webauthn: WebauthnSettings
  passkeys: PasskeySettings
  rateLimits: RateLimitSettings
  hooks: HookSettings
  /** Left out: nobody is asked to prove they are a person. */
  captcha?: CaptchaSettings
  oauthServer: OAuthServerSettings
  /** Who people may sign in with instead. */
  providers: ProviderSettings
  /** Chains whose accounts can sign in. */
  web3: Readonly<Record<'ethereum' | 'solana', boolean>>
  saml: SamlSettings
  /** Answers leave no sooner than this where their speed would tell whether an address is known; a slower mail server is not waited for. 0: neither. */
  evenAnswerMs: number
  /** A request that takes longer is told so (`request_timeout`). */
  longestRequestMs: number
}

/** What a project without `[auth]` gets: the hosted backend's defaults. */
export const defaultAuthSettings: AuthSettings = {
  externalUrl: 'http://127.0.0.1:54321/auth/v1',
  siteUrl: 'http://127.0.0.1:54321',
  redirectAllowList: [],
  appOrigins: [],
  jwtExpirySeconds: 3600,
  audience: 'authenticated',
  enableSignup: true,
  enableAnonymousSignIns: false,
  enableManualLinking: false,
  refreshTokenRotation: true,
  refreshTokenReuseIntervalSeconds: 10,
  refreshTokens: defaultRefreshTokenSettings,
  flowStateExpirySeconds: 300,
  email: {
    enabled: true,
    enableSignup: true,
    doubleConfirmChanges: true,
    enableConfirmations: true,
    enableMagicLink: true,
    maxFrequencySeconds: 60,
    otpLength: 6,
    otpExpirySeconds: 86_400,
    templates: {},
    notifications: [],
    authorizedAddresses: [],
  },
  sms: {
    enabled: false,
    enableSignup: false,
    enableConfirmations: true,
    provider: '',
    template: 'Your code is {{ .Code }}',
    maxFrequencySeconds: 60,
    otpLength: 6,
    otpExpirySeconds: 60,
    testOtp: {},
  },
  password: { minLength: 6, requiredCharacters: [], requireReauthentication: false, requireCurrentPassword: false },
  sessions: { timeboxSeconds: 0, inactivitySeconds: 0, lowAssuranceSeconds: 0, singlePerUser: false },
  factors: defaultFactorSettings,
  webauthn: defaultWebauthnSettings,
  passkeys: defaultPasskeySettings,
  rateLimits: {
    tokenRefresh: 150,
    tokenVerifications: 30,
    signInSignUps: 30,
    anonymousUsers: 30,
    web3: 30,
    clientRegistrations: 10,
    emailSent: 30,
    smsSent: 30,
    countLoopback: false,
  },
  hooks: {},
  oauthServer: { enabled: false, allowDynamicRegistration: false, authorizationPath: '/oauth/consent', authorizationTtlSeconds: 600, defaultScope: 'email' },
  providers: defaultProviderSettings,
  web3: { ethereum: false, solana: false },
  saml: defaultSamlSettings,
  evenAnswerMs: 200,
  longestRequestMs: 10_000,
}
