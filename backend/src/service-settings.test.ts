import { describe, expect, test } from 'vitest'
import { actedOnProviderNames } from '#services/auth/providers/open-test-provider.ts'
import { isKnownProvider } from '#services/auth/providers/provider.ts'
import { actedOnProviders } from './config/external.ts'
import { readConfig } from './config.ts'
import { authSettings, exposureWarnings, phoneOptions } from './service-settings.ts'

const here = { origin: 'http://127.0.0.1:54321', boundHost: '127.0.0.1' }

describe('rate limits', () => {
  const countsLoopback = (env: Record<string, string>, place = here, configToml = '') =>
    authSettings(readConfig({ env, configToml }).config, place).rateLimits.countLoopback

  test('leave the tabs and tests of one machine alone', () => {
    expect(countsLoopback({})).toBe(false)
    expect(countsLoopback({ PORTICO_ALLOWED_HOSTS: 'app.localhost' }, { origin: 'http://localhost:54321', boundHost: '::1' })).toBe(false)
  })

  test('count what comes from this machine as soon as a proxy on it may speak for others', () => {
    expect(countsLoopback({}, { origin: 'http://127.0.0.1:54321', boundHost: '0.0.0.0' })).toBe(true)
    expect(countsLoopback({}, { ...here, origin: 'https://api.example.com' })).toBe(true)
    expect(countsLoopback({}, here, '[api]\nexternal_url = "https://api.example.com"')).toBe(true)
    expect(countsLoopback({ PORTICO_ALLOWED_HOSTS: 'tunnel.example.com' })).toBe(true)
    expect(countsLoopback({ PORTICO_TRUSTED_PROXIES: '127.0.0.1' })).toBe(true)
  })
})

describe('what a project asks of its front door', () => {
  const read = (configToml: string, env: Record<string, string> = {}) => readConfig({ env, configToml }).config

  test('about texts: provider, words, times, and numbers with a code of their own', () => {
    const config = read(`
      [auth.sms]
      enable_signup = true
      enable_confirmations = true
      template = "{{ .Code }}"
      max_frequency = "30s"
      [auth.sms.test_otp]
      "+49 170 0000000" = "123456"
      [auth.sms.twilio]
      enabled = true
      account_sid = "AC1"
      message_service_sid = "MG1"
      auth_token = "env(TWILIO_TOKEN)"`, { TWILIO_TOKEN: 'a token' })
    expect(authSettings(config, here).sms).toMatchObject({ enabled: true, provider: 'twilio', template: '{{ .Code }}', maxFrequencySeconds: 30, testOtp: { 491700000000: '123456' } })
    expect(phoneOptions(config)).toMatchObject({ hasPhones: true, provider: { name: 'twilio', credentials: { account_sid: 'AC1', auth_token: 'a token', message_service_sid: 'MG1' } } })
    expect(phoneOptions(read(''))).toEqual({ hasPhones: false, provider: undefined })
  })

  test('about captchas, hooks, breached passwords and sessions; all off where it says nothing', () => {
    const config = read('[auth.captcha]\nenabled = true\nprovider = "turnstile"\nsecret = "s"\n[auth.hook.before_user_created]\nenabled = true\nuri = "pg-functions://postgres/public/before"', {
      PORTICO_CAPTCHA_URL: 'http://127.0.0.1:9/verify', PORTICO_CHECK_BREACHED_PASSWORDS: 'true', PORTICO_REQUIRE_CURRENT_PASSWORD: 'true', PORTICO_SINGLE_SESSION: 'true',
    })
    const settings = authSettings(config, here)
    expect(settings.captcha).toEqual({ provider: 'turnstile', secret: 's', url: 'http://127.0.0.1:9/verify' })
    expect(settings.hooks).toMatchObject({ beforeUserCreated: 'pg-functions://postgres/public/before' })
    expect(settings.password).toMatchObject({ breachedUrl: 'https://api.pwnedpasswords.com', requireCurrentPassword: true })
    expect(settings.sessions.singlePerUser).toBe(true)
    const plain = authSettings(read(''), here)
    expect(plain.captcha).toBeUndefined()
    expect(plain.password.breachedUrl).toBeUndefined()
    expect(plain.hooks.sendEmail).toBeUndefined()
  })
})

test('codes that are set down for trying things out are warned of in a box that others can reach', () => {
  const { config } = readConfig({ env: {}, configToml: '[auth.sms]\nenable_signup = true\n[auth.sms.test_otp]\n4915100000000 = "271828"' })
  expect(exposureWarnings(config, here)).toEqual([])
  const [told] = exposureWarnings(config, { ...here, boundHost: '0.0.0.0' })
  expect(told).toContain('auth.sms.test_otp')
  expect(told).not.toMatch(/271828|49151/)
})

describe('the site', () => {
  const siteUrl = (configToml: string, origin: string) => authSettings(readConfig({ env: {}, configToml }).config, { origin, boundHost: '127.0.0.1' }).siteUrl

  test('is the box itself where the project says nothing, or names the port it asked for', () => {
    expect(siteUrl('', 'http://127.0.0.1:54400')).toBe('http://127.0.0.1:54400')
    expect(siteUrl('[auth]\nsite_url = "http://localhost:54321"', 'http://127.0.0.1:54400')).toBe('http://127.0.0.1:54400')
    expect(siteUrl('[api]\nport = 54555\n[auth]\nsite_url = "http://127.0.0.1:54555/"', 'http://127.0.0.1:54400')).toBe('http://127.0.0.1:54400')
  })

  test('is another app where the project names one', () => {
    expect(siteUrl('[auth]\nsite_url = "http://127.0.0.1:3000"', 'http://127.0.0.1:54400')).toBe('http://127.0.0.1:3000')
    expect(siteUrl('[auth]\nsite_url = "https://app.example.com"', 'http://127.0.0.1:54321')).toBe('https://app.example.com')
  })
})

describe('sign-in providers', () => {
  const providersOf = (configToml: string, localIssuer?: string) =>
    authSettings(readConfig({ env: {}, configToml }).config, { ...here, ...(localIssuer === undefined ? {} : { localIssuer }) }).providers

  test('are those that are known, by the same names in both places', () => {
    expect(actedOnProviders.filter((name) => !isKnownProvider(name))).toEqual([])
    expect([...actedOnProviders]).toEqual([...actedOnProviderNames])
  })

  test('have each of the client ids that are named, and their secret', () => {
    const { external } = providersOf('[auth.external.google]\nenabled = true\nclient_id = "one, two"\nsecret = "s"\nskip_nonce_check = true')
    expect(external.google).toEqual({ clientIds: ['one', 'two'], secret: 's', url: '', redirectUri: '', skipNonceCheck: true, emailOptional: false, isLocal: false })
  })

  test('that the local one answers for are on while it is open, and never with the secret of the provider they stand for', () => {
    const configToml = '[auth.external.local]\nenabled = true\n[auth.external.google]\nenabled = true\nclient_id = "x"\nsecret = "real"\nurl = "local"'
    expect(providersOf(configToml).external).toEqual({})
    const { external, localIssuer } = providersOf(configToml, 'http://127.0.0.1:54325')
    expect([localIssuer, Object.keys(external)]).toEqual(['http://127.0.0.1:54325', ['local', 'google']])
    expect(JSON.stringify(external)).not.toContain('real')
  })
})

describe('second factors and passkeys', () => {
  const read = (configToml: string, origin = 'http://127.0.0.1:54321') => authSettings(readConfig({ env: {}, configToml }).config, { origin, boundHost: '127.0.0.1' })

  test('are authenticator apps and recovery codes where the project says nothing', () => {
    const { factors, passkeys } = read('')
    const on = { enroll: true, verify: true }
    expect(factors).toMatchObject({ maxEnrolled: 10, totp: on, recoveryCodes: on, webauthn: { enroll: false, verify: false }, phone: { enroll: false, verify: false } })
    expect(passkeys.enabled).toBe(false)
  })

  test('are what the project says', () => {
    const toml = `
      [auth.mfa]
      max_enrolled_factors = 3
      [auth.mfa.totp]
      enroll_enabled = false
      verify_enabled = false
      [auth.mfa.recovery_codes]
      enroll_enabled = false
      [auth.mfa.phone]
      enroll_enabled = true
      verify_enabled = true
      otp_length = 4
      max_frequency = "2s"
      [auth.mfa.web_authn]
      verify_enabled = true
      [auth.passkey]
      enabled = true`
    const { factors, passkeys } = read(toml)
    expect(factors).toMatchObject({
      maxEnrolled: 3,
      totp: { enroll: false, verify: false },
      recoveryCodes: { enroll: false, verify: true },
      phone: { enroll: true, verify: true, otpLength: 6, maxFrequencySeconds: 2 },
      webauthn: { enroll: false, verify: true },
    })
    expect(passkeys.enabled).toBe(true)
  })

  test('cannot be added where they would not count', () => {
    expect(() => read('[auth.mfa.web_authn]\nenroll_enabled = true')).toThrow(/web_authn.*requires verify_enabled/s)
  })

  test('are bound to the name the project gives, or to where it is', () => {
    expect(read('[auth.webauthn]\nrp_id = "example.com"\nrp_display_name = "Example"\nrp_origins = ["https://app.example.com"]').webauthn).toEqual({
      rpId: 'example.com',
      rpDisplayName: 'Example',
      rpOrigins: ['https://app.example.com'],
    })
    expect(read('[auth]\nsite_url = "http://127.0.0.1:3000"', 'http://127.0.0.1:54400').webauthn).toEqual({
      rpId: 'localhost',
      rpDisplayName: 'localhost',
      rpOrigins: ['http://localhost:3000', 'http://localhost:54400'],
    })
    for (const wrong of ['rp_id = "https://example.com"', 'rp_id = "127.0.0.1"', 'rp_origins = ["example.com"]']) {
      expect(() => read(`[auth.webauthn]\n${wrong}`), wrong).toThrow(/webauthn/)
    }
  })
})
