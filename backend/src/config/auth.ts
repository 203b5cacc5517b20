import { z } from 'zod'
import { hookSection } from './auth-hooks.ts'
import { emailSection } from './auth-mail.ts'
import { externalSection } from './external.ts'
import { count, duration, flag, texts } from './scalars.ts'

const enabled = z.strictObject({ enabled: flag.default(false) })
const factor = { enroll_enabled: flag.default(false), verify_enabled: flag.default(false) }
// As the hosted backend has it for a project that says nothing: an authenticator app may be added.
const usualFactor = { enroll_enabled: flag.default(true), verify_enabled: flag.default(true) }
const hasVerify = { error: 'enroll_enabled requires verify_enabled' }
const isUsable = (toml: { enroll_enabled: boolean; verify_enabled: boolean }): boolean => !toml.enroll_enabled || toml.verify_enabled
const toFactor = (toml: { enroll_enabled: boolean; verify_enabled: boolean }) => ({ enroll: toml.enroll_enabled, verify: toml.verify_enabled })

const hooks = z
  .strictObject({
    mfa_verification_attempt: hookSection,
    password_verification_attempt: hookSection,
    custom_access_token: hookSection,
    send_sms: hookSection,
    send_email: hookSection,
    before_user_created: hookSection,
    after_user_created: hookSection,
  })
  .prefault({})
  .transform((toml) => ({
    mfaVerificationAttempt: toml.mfa_verification_attempt,
    passwordVerificationAttempt: toml.password_verification_attempt,
    customAccessToken: toml.custom_access_token,
    sendSms: toml.send_sms,
    sendEmail: toml.send_email,
    beforeUserCreated: toml.before_user_created,
    afterUserCreated: toml.after_user_created,
  }))

// Browsers bind credentials to a name; an address or a whole URL would be refused there, at the first passkey.
const isHostName = (text: string): boolean => text === '' || (/^[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text) && !/^[\d.]+$/.test(text))
const isOrigin = (text: string): boolean => URL.canParse(text) && /^https?:\/\//i.test(text)

const webauthn = z
  .strictObject({
    rp_display_name: z.string().default(''),
    rp_id: z.string().refine(isHostName, { error: 'a host name like "example.com", no scheme and no address' }).default(''),
    rp_origins: texts.refine((origins) => origins.every(isOrigin), { error: 'origins like "https://app.example.com"' }).default([]),
  })
  .prefault({})

const mfa = z
  .strictObject({
    max_enrolled_factors: count.default(10),
    totp: z.strictObject(usualFactor).refine(isUsable, hasVerify).prefault({}),
    recovery_codes: z.strictObject(usualFactor).refine(isUsable, hasVerify).prefault({}),
    phone: z
      .strictObject({
        ...factor,
        otp_length: count.default(6),
        template: z.string().default('Your code is {{ .Code }}'),
        max_frequency: duration.prefault('5s'),
      })
      .refine(isUsable, hasVerify)
      .prefault({}),
    web_authn: z.strictObject(factor).refine(isUsable, hasVerify).prefault({}),
  })
  .prefault({})
  .transform((toml) => ({
    maxEnrolledFactors: toml.max_enrolled_factors,
    totp: toFactor(toml.totp),
    recoveryCodes: toFactor(toml.recovery_codes),
    phone: { ...toFactor(toml.phone), otpLength: toml.phone.otp_length, template: toml.phone.template, maxFrequencyMs: toml.phone.max_frequency },
    webauthn: toFactor(toml.web_authn),
  }))

const smsProviders = ['twilio', 'twilio_verify', 'messagebird', 'textlocal', 'vonage'] as const

/** The CLI starts its auth server so: codes by text live a hundred minutes. */
const smsOtpExpirySeconds = 6000
const smsProvider = z.object({ enabled: flag.default(false) }).catchall(z.string()).optional()

const sms = z
  .strictObject({
    enable_signup: flag.default(false),
    enable_confirmations: flag.default(false),
    template: z.string().default('Your code is {{ .Code }}'),
    max_frequency: duration.prefault('5s'),
    test_otp: z.record(z.string(), z.string()).default({}),
    twilio: smsProvider,
    twilio_verify: smsProvider,
    messagebird: smsProvider,
    textlocal: smsProvider,
    vonage: smsProvider,
  })
  .prefault({})
  .transform((toml) => ({
    enableSignup: toml.enable_signup,
    enableConfirmations: toml.enable_confirmations,
    template: toml.template,
    maxFrequencyMs: toml.max_frequency,
    /** Phone number without `+` to its fixed code. */
    testOtp: toml.test_otp,
    /** The first provider that is switched on. Null: the local phone. */
    provider: smsProviders.flatMap((name) => {
      const { enabled = false, ...credentials } = toml[name] ?? {}
      return enabled ? [{ name, credentials: credentials as Readonly<Record<string, string>> }] : []
    })[0] ?? null,
    otpExpirySeconds: smsOtpExpirySeconds,
  }))

const rateLimit = z
  .strictObject({
    email_sent: count.default(2),
    sms_sent: count.default(30),
    anonymous_users: count.default(30),
    token_refresh: count.default(150),
    sign_in_sign_ups: count.default(30),
    token_verifications: count.default(30),
    web3: count.default(30),
  })
  .prefault({})
  .transform((toml) => ({
    /** Counts only where mail leaves by SMTP, as in the CLI. */
    emailsPerHour: toml.email_sent,
    smsPerHour: toml.sms_sent,
    anonymousUsersPerHour: toml.anonymous_users,
    tokenRefreshesPer5Minutes: toml.token_refresh,
    signInsPer5Minutes: toml.sign_in_sign_ups,
    verificationsPer5Minutes: toml.token_verifications,
    web3Per5Minutes: toml.web3,
  }))

const passwordRequirements = z.enum(['', 'letters_digits', 'lower_upper_letters_digits', 'lower_upper_letters_digits_symbols'])

/** The `[auth]` section and all below it. @see supabase/cli pkg/config/auth.go */
export const authSection = z
  .strictObject({
    enabled: flag.default(true),
    site_url: z.string().optional(),
    external_url: z.string().default(''),
    additional_redirect_urls: texts.default([]),
    jwt_expiry: count.pipe(z.number().min(1).max(604_800)).default(3600),
    jwt_issuer: z.string().default(''),
    signing_keys_path: z.string().default(''),
    enable_refresh_token_rotation: flag.default(true),
    refresh_token_reuse_interval: count.default(10),
    enable_signup: flag.default(true),
    enable_anonymous_sign_ins: flag.default(false),
    enable_manual_linking: flag.default(false),
    minimum_password_length: count.default(6),
    password_requirements: passwordRequirements.default(''),
    publishable_key: z.string().default(''),
    secret_key: z.string().default(''),
    jwt_secret: z.string().default(''),
    anon_key: z.string().default(''),
    service_role_key: z.string().default(''),
    passkey: enabled.prefault({}),
    webauthn,
    rate_limit: rateLimit,
    captcha: z.strictObject({ enabled: flag.default(true), provider: z.enum(['hcaptcha', 'turnstile']), secret: z.string().default('') }).optional(),
    hook: hooks,
    mfa,
    sessions: z
      .strictObject({ timebox: duration.prefault('0'), inactivity_timeout: duration.prefault('0'), tags: texts.optional() })
      .prefault({}),
    email: emailSection.prefault({}),
    sms,
    external: externalSection,
    web3: z.strictObject({ solana: enabled.prefault({}), ethereum: enabled.prefault({}) }).prefault({}),
    oauth_server: z
      .strictObject({
        enabled: flag.default(false),
        allow_dynamic_registration: flag.default(false),
        authorization_url_path: z.string().default('/oauth/consent'),
      })
      .prefault({}),
    third_party: z.looseObject({}).optional(),
  })
  .transform((toml) => ({
    enabled: toml.enabled,
    /** Left out in the file: the app the box serves itself. */
    siteUrl: toml.site_url,
    externalUrl: toml.external_url,
    additionalRedirectUrls: toml.additional_redirect_urls,
    jwtExpirySeconds: toml.jwt_expiry,
    jwtIssuer: toml.jwt_issuer,
    signingKeysPath: toml.signing_keys_path,
    refreshTokenRotation: toml.enable_refresh_token_rotation,
    refreshTokenReuseSeconds: toml.refresh_token_reuse_interval,
    enableSignup: toml.enable_signup,
    enableAnonymousSignIns: toml.enable_anonymous_sign_ins,
    enableManualLinking: toml.enable_manual_linking,
    password: { minLength: toml.minimum_password_length, requirements: toml.password_requirements },
    /** `[auth] jwt_secret` and its sisters: keys given by the project folder instead of the environment. */
    keys: {
      publishableKey: toml.publishable_key,
      secretKey: toml.secret_key,
      jwtSecret: toml.jwt_secret,
      anonKey: toml.anon_key,
      serviceRoleKey: toml.service_role_key,
    },
    passkeys: toml.passkey.enabled,
    webauthn: { rpDisplayName: toml.webauthn.rp_display_name, rpId: toml.webauthn.rp_id, rpOrigins: toml.webauthn.rp_origins },
    rateLimits: toml.rate_limit,
    captcha: toml.captcha?.enabled === true ? { provider: toml.captcha.provider, secret: toml.captcha.secret } : null,
    hooks: toml.hook,
    mfa: toml.mfa,
    /** 0: no limit. */
    sessions: { timeboxMs: toml.sessions.timebox, inactivityTimeoutMs: toml.sessions.inactivity_timeout },
    email: toml.email,
    sms: toml.sms,
    /** By provider name: `github`, `google`, `keycloak`, `local`. */
    external: toml.external,
    web3: { solana: toml.web3.solana.enabled, ethereum: toml.web3.ethereum.enabled },
    oauthServer: {
      enabled: toml.oauth_server.enabled,
      allowDynamicRegistration: toml.oauth_server.allow_dynamic_registration,
      authorizationUrlPath: toml.oauth_server.authorization_url_path,
    },
  }))

export type AuthConfig = z.output<typeof authSection>
