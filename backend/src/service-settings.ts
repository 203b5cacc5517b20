import type { AuthSettings } from '#services/auth/settings.ts'
import { defaultAuthSettings } from '#services/auth/settings.ts'
import { relyingParty } from '#services/auth/webauthn/relying-party.ts'
import { defaultFunctionsSettings, type FunctionsSettings } from '#services/functions/settings.ts'
import { defaultRealtimeSettings, type RealtimeSettings } from '#services/realtime/settings.ts'
import { defaultRestSettings, type RestSettings } from '#services/rest/settings.ts'
import { defaultStorageSettings, type StorageSettings } from '#services/storage/settings.ts'
import type { ProviderSettings } from '#services/phone/providers.ts'
import type { LetterKind } from '#contract/mailer.ts'
import type { AuthConfig, Config } from './config.ts'
import { isAnsweredLocally } from './config/external.ts'
import { isLoopbackHost } from '#gateway/host.ts'

const characters = {
  lower: 'abcdefghijklmnopqrstuvwxyz',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  digits: '0123456789',
  symbols: '!@#$%^&*()_+-=[]{};\'\\:"|<>?,./`~',
} as const

const { lower, upper, digits, symbols } = characters

// Each entry is a set of which one character must occur, as the hosted settings spell these rules.
const requiredCharacters: Readonly<Record<AuthConfig['password']['requirements'], readonly string[]>> = {
  '': [],
  letters_digits: [lower + upper, digits],
  lower_upper_letters_digits: [lower, upper, digits],
  lower_upper_letters_digits_symbols: [lower, upper, digits, symbols],
}

const toSeconds = (ms: number): number => ms / 1000

const given = <T extends object>(members: T): { [Name in keyof T]?: NonNullable<T[Name]> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null)) as never

function emailSettings({ email }: AuthConfig): AuthSettings['email'] {
  const templates = { ...email.templates, ...email.notifications }
  const { smtp } = email
  return {
    ...defaultAuthSettings.email,
    enableSignup: email.enableSignup,
    doubleConfirmChanges: email.doubleConfirmChanges,
    enableConfirmations: email.enableConfirmations,
    maxFrequencySeconds: toSeconds(email.maxFrequencyMs),
    otpLength: email.otpLength,
    otpExpirySeconds: email.otpExpirySeconds,
    templates: Object.fromEntries(Object.entries(templates).map(([kind, { subject, content }]) => [kind, given({ subject, content })])),
    notifications: Object.entries(email.notifications).filter(([, notice]) => notice.enabled).map(([kind]) => kind as LetterKind),
    ...(smtp === null
      ? {}
      : { smtp: { host: smtp.host, port: smtp.port, adminEmail: smtp.fromAddress, ...given({ user: smtp.user || undefined, password: smtp.password || undefined, senderName: smtp.fromName || undefined }) } }),
  }
}

function hookSettings({ hooks }: AuthConfig): AuthSettings['hooks'] {
  const on = Object.entries(hooks).flatMap(([name, hook]) => (hook === null ? [] : [{ name, ...hook }]))
  return {
    ...Object.fromEntries(on.map(({ name, uri }) => [name, uri])),
    secrets: Object.fromEntries(on.map(({ name, secrets }) => [name, secrets])),
  }
}

function smsSettings({ sms }: AuthConfig): AuthSettings['sms'] {
  return {
    ...defaultAuthSettings.sms,
    enabled: sms.enableSignup,
    enableSignup: sms.enableSignup,
    enableConfirmations: sms.enableConfirmations,
    provider: sms.provider?.name ?? '',
    template: sms.template,
    maxFrequencySeconds: toSeconds(sms.maxFrequencyMs),
    otpExpirySeconds: sms.otpExpirySeconds,
    testOtp: Object.fromEntries(Object.entries(sms.testOtp).map(([number, code]) => [number.replaceAll(/\D/g, ''), code])),
  }
}

/** What `[auth.sms]` means to the way texts take. */
export const phoneOptions = ({ auth }: Config): { hasPhones: boolean; provider: ProviderSettings | undefined } => ({
  hasPhones: auth.enabled && (auth.sms.enableSignup || auth.mfa.phone.enroll || auth.mfa.phone.verify),
  provider: auth.sms.provider ?? undefined,
})

// The address as people type it and as the browser may show it are one origin each; the app is reached under both.
function appOrigins(origin: string): string[] {
  const { protocol, hostname, port } = new URL(origin)
  if (!isLoopbackHost(hostname)) return [origin]
  return ['127.0.0.1', 'localhost'].map((name) => new URL(`${protocol}//${name}:${port}`).origin)
}

/** Where a box is found. */
export interface Place {
  /** Where clients reach it. */
  origin: string
  /** The address it listens on. */
  boundHost: string
  /** The issuer of the local identity provider, while it is open. */
  localIssuer?: string
}

const isOffLoopback = (url: string): boolean => URL.canParse(url) && !isLoopbackHost(new URL(url).hostname)

/**
 * Whether anything says that the box is meant for others: the address it listens on, names, addresses, proxies. A proxy or a tunnel on
 * the same machine speaks from loopback for everybody.
 */
export function isReachedByOthers({ server }: Config, boundHost: string, urls: readonly string[]): boolean {
  const names = [boundHost, ...server.allowedHosts]
  return names.some((name) => !isLoopbackHost(name)) || urls.some(isOffLoopback) || server.trustedProxies.length > 0
}

/** Sentences about what is for trying things out and stands open in a box that others can reach. */
export function exposureWarnings(config: Config, place: Pick<Place, 'origin' | 'boundHost'>): readonly string[] {
  const { auth, api, server } = config
  const numbers = Object.keys(auth.sms.testOtp).length
  const isOpen = auth.enabled && auth.sms.enableSignup && numbers > 0 && isReachedByOthers(config, place.boundHost, [place.origin, auth.externalUrl, api.externalUrl, server.publicUrl ?? ''])
  return isOpen ? [`auth.sms.test_otp sets down the codes of ${numbers} telephone numbers, and others can reach this box: whoever knows or guesses one signs in as that person, at any time.`] : []
}

// A project that names the box itself as its site means the box wherever it is: when its port was taken, mails follow it to the next one.
function siteUrlOf({ api, auth }: Config, origin: string): string {
  if (auth.siteUrl === undefined) return origin
  const site = URL.canParse(auth.siteUrl) ? new URL(auth.siteUrl) : undefined
  const isTheBox = site !== undefined && isLoopbackHost(site.hostname) && isLoopbackHost(new URL(origin).hostname) && site.port === String(api.port)
  return isTheBox ? origin : auth.siteUrl
}

// Only providers that can be reached: what the local one answers for is off while that is not open.
function providerSettings({ auth }: Config, localIssuer: string | undefined): AuthSettings['providers'] {
  const on = Object.entries(auth.external).filter(([name, provider]) => provider.enabled && (localIssuer !== undefined || !isAnsweredLocally(name, provider)))
  const external = on.map(([name, { clientId, secret, url, redirectUri, skipNonceCheck, emailOptional }]) => {
    const isLocal = isAnsweredLocally(name, { url })
    const clientIds = (clientId || 'portico').split(',').map((id) => id.trim()).filter((id) => id !== '')
    return [name, { clientIds, secret: isLocal ? '' : secret, url, redirectUri: isLocal ? '' : redirectUri, skipNonceCheck, emailOptional, isLocal }] as const
  })
  return { ...defaultAuthSettings.providers, external: Object.fromEntries(external), ...(localIssuer === undefined ? {} : { localIssuer }) }
}

function factorSettings({ mfa }: AuthConfig): AuthSettings['factors'] {
  const { maxFrequencyMs, ...phone } = mfa.phone
  return {
    maxEnrolled: mfa.maxEnrolledFactors,
    totp: mfa.totp,
    // As the hosted backend reads them: a length it does not know is six, and no interval is a minute.
    phone: { ...phone, otpLength: phone.otpLength >= 6 && phone.otpLength <= 10 ? phone.otpLength : 6, maxFrequencySeconds: toSeconds(maxFrequencyMs) || 60 },
    webauthn: mfa.webauthn,
    recoveryCodes: mfa.recoveryCodes,
  }
}

/** What `[auth]` means to the auth service. */
export function authSettings(config: Config, { origin, boundHost, localIssuer }: Place): AuthSettings {
  const { auth } = config
  const externalUrl = auth.externalUrl || `${config.api.externalUrl || origin}/auth/v1`
  return {
    ...defaultAuthSettings,
    externalUrl,
    issuer: auth.jwtIssuer || externalUrl,
    siteUrl: siteUrlOf(config, origin),
    redirectAllowList: auth.additionalRedirectUrls,
    appOrigins: appOrigins(origin),
    jwtExpirySeconds: auth.jwtExpirySeconds,
    enableSignup: auth.enableSignup,
    enableAnonymousSignIns: auth.enableAnonymousSignIns,
    enableManualLinking: auth.enableManualLinking,
    refreshTokenRotation: auth.refreshTokenRotation,
    refreshTokenReuseIntervalSeconds: auth.refreshTokenReuseSeconds,
    email: emailSettings(auth),
    sms: smsSettings(auth),
    password: {
      minLength: auth.password.minLength,
      requiredCharacters: requiredCharacters[auth.password.requirements],
      requireReauthentication: auth.email.securePasswordChange,
      requireCurrentPassword: config.server.auth.requireCurrentPassword,
      ...given({ breachedUrl: config.server.auth.breachedPasswordsUrl }),
    },
    sessions: {
      ...defaultAuthSettings.sessions,
      timeboxSeconds: toSeconds(auth.sessions.timeboxMs),
      inactivitySeconds: toSeconds(auth.sessions.inactivityTimeoutMs),
      singlePerUser: config.server.auth.singleSession,
    },
    rateLimits: {
      ...defaultAuthSettings.rateLimits,
      tokenRefresh: auth.rateLimits.tokenRefreshesPer5Minutes,
      tokenVerifications: auth.rateLimits.verificationsPer5Minutes,
      signInSignUps: auth.rateLimits.signInsPer5Minutes,
      anonymousUsers: auth.rateLimits.anonymousUsersPerHour,
      web3: auth.rateLimits.web3Per5Minutes,
      emailSent: auth.rateLimits.emailsPerHour,
      smsSent: auth.rateLimits.smsPerHour,
      countLoopback: isReachedByOthers(config, boundHost, [origin, externalUrl]),
    },
    factors: factorSettings(auth),
    webauthn: relyingParty(auth.webauthn, { siteUrl: siteUrlOf(config, origin), places: [...appOrigins(origin), ...auth.additionalRedirectUrls] }),
    passkeys: { ...defaultAuthSettings.passkeys, enabled: auth.passkeys },
    hooks: hookSettings(auth),
    ...(auth.captcha === null ? {} : { captcha: { ...auth.captcha, ...given({ url: config.server.captchaUrl }) } }),
    oauthServer: {
      ...defaultAuthSettings.oauthServer,
      enabled: auth.oauthServer.enabled,
      allowDynamicRegistration: auth.oauthServer.allowDynamicRegistration,
      authorizationPath: auth.oauthServer.authorizationUrlPath,
    },
    providers: providerSettings(config, localIssuer),
    web3: auth.web3,
    saml: { ...defaultAuthSettings.saml, ...config.saml },
    refreshTokens: config.refreshTokens,
  }
}

/** What `[api]` means to the data API. */
export function restSettings({ api }: Config): RestSettings {
  const [first = 'public', ...others] = api.schemas
  return {
    ...defaultRestSettings,
    schemas: [first, ...others],
    extraSearchPath: api.extraSearchPath,
    maxRows: api.maxRows === 0 ? undefined : api.maxRows,
  }
}

/** What `[functions.*]` and `[edge_runtime]` mean to the functions of the project in a folder. */
export function functionsSettings({ functions, edgeRuntime, server }: Config, supabaseFolder: string | undefined): FunctionsSettings {
  return {
    ...defaultFunctionsSettings,
    ...(supabaseFolder === undefined ? {} : { supabaseFolder }),
    functions,
    secrets: edgeRuntime.secrets,
    policy: edgeRuntime.policy,
    limits: { ...defaultFunctionsSettings.limits, ...server.functionLimits },
  }
}

/** What `[realtime]` and the operator's limits mean to Realtime. */
export const realtimeSettings = ({ realtime, server }: Config): RealtimeSettings => ({
  ...defaultRealtimeSettings,
  maxHeaderBytes: realtime.maxHeaderBytes,
  ...server.realtimeLimits,
})

/** What `[storage]` means to the storage API. */
export const storageSettings = ({ storage }: Config): StorageSettings => ({
  ...defaultStorageSettings,
  fileSizeLimitBytes: storage.fileSizeLimitBytes,
  imageTransformation: storage.imageTransformation,
  s3Protocol: storage.s3Protocol,
})
