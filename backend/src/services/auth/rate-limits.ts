import type { Clock } from '#contract/clock.ts'

import { askedTooSoon, authError } from './errors.ts'
import type { AuthSettings } from './settings.ts'

/** What is counted apart, each address for itself. */
export type Bucket = 'token' | 'verify' | 'signup' | 'otp' | 'magiclink' | 'recover' | 'resend' | 'user' | 'anonymous' | 'code' | 'register' | 'authorize' | 'web3' | 'sso' | 'factor_challenge' | 'factor_verify' | 'factor_code' | 'passkey' | 'passkey_verify'

/** Keeps callers from asking too often. Forgets the longest-unseen ones first, so that it never grows past a bound. */
export interface RateLimits {
  /** @throws `over_request_rate_limit` (429) when an address has used its bucket up. */
  spend(bucket: Bucket, key: string): void
  /** Takes what was spent back, all of it. */
  forget(bucket: Bucket, key: string): void
  /** @throws `over_email_send_rate_limit` (429) when the project has sent its mails of the hour. */
  spendMail(): void
  /** @throws `over_sms_send_rate_limit` (429) when the project has sent its texts of the hour. */
  spendText(): void
  /**
   * The interval between two mails, for addresses that have no row to remember it: what is unknown or already
   * confirmed must not be told by the missing 429.
   *
   * @throws `over_email_send_rate_limit` (429) as for a person who exists.
   */
  rememberAsking(what: string, address: string): void
  forgetAsking(what: string, address: string): void
  /** As `rememberAsking`, for texts and numbers: `over_sms_send_rate_limit`. */
  rememberTexting(what: string, phone: string): void
  forgetTexting(what: string, phone: string): void
}

/** Most keys remembered; each costs about 100 bytes. */
const mostKeys = 20_000

/** Burst of every bucket, as the hosted backend's limiter has it. */
const burst = 30

/** Tries of one person's second factor: ten at once, then one a minute. At six digits that is 0.4 % a day for whoever has the password. */
const factorCodes = { burst: 10, perSecond: 1 / 60 }

/** Counted for a person, so that from this machine too. */
const isPersonal = (bucket: Bucket): boolean => bucket === 'code' || bucket === 'factor_code'

interface Level {
  tokens: number
  at: number
}

function createBuckets(clock: Clock) {
  const levels = new Map<string, Level>()
  const forget = (key: string): void => void levels.delete(key)
  const take = (key: string, perSecond: number, size: number): number => {
    const now = clock.now()
    const known = levels.get(key)
    const tokens = Math.min(size, (known?.tokens ?? size) + (known ? ((now - known.at) / 1000) * perSecond : 0))
    levels.delete(key)
    levels.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
    const oldest = levels.size > mostKeys ? levels.keys().next().value : undefined
    if (oldest !== undefined) levels.delete(oldest)
    return tokens >= 1 ? 0 : (1 - tokens) / perSecond
  }
  return { take, forget }
}

const isLoopback = (ip: string): boolean => ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.')

function perSecondOf(bucket: Bucket, settings: AuthSettings): number {
  const limits = settings.rateLimits
  if (bucket === 'token' || bucket === 'authorize') return limits.tokenRefresh / 300
  if (bucket === 'register') return limits.clientRegistrations / 300
  if (bucket === 'verify' || bucket === 'code') return limits.tokenVerifications / 300
  if (bucket === 'web3') return limits.web3 / 300
  if (bucket === 'factor_code') return factorCodes.perSecond
  if (bucket === 'factor_challenge' || bucket === 'factor_verify') return 15 / 60
  if (bucket === 'anonymous') return limits.anonymousUsers / 3600
  return limits.signInSignUps / 300
}

/** @see supabase/auth internal/api/apilimiter and docs of `[auth.rate_limit]` in config.toml */
export function createRateLimits(settings: AuthSettings, clock: Clock): RateLimits {
  const { take, forget } = createBuckets(clock)
  const asked = new Map<string, number>()
  const remember = (key: string, seconds: number, code: 'over_email_send_rate_limit' | 'over_sms_send_rate_limit'): void => {
    const left = (asked.get(key) ?? -Infinity) + seconds * 1000 - clock.now()
    if (left > 0) throw askedTooSoon(Math.floor(left / 1000), code)
    asked.delete(key)
    asked.set(key, clock.now())
    const oldest = asked.size > mostKeys ? asked.keys().next().value : undefined
    if (oldest !== undefined) asked.delete(oldest)
  }

  return {
    spend(bucket, key) {
      if (!isPersonal(bucket) && !settings.rateLimits.countLoopback && isLoopback(key)) return
      const waitSeconds = take(`${bucket} ${key}`, perSecondOf(bucket, settings), bucket === 'factor_code' ? factorCodes.burst : burst)
      if (waitSeconds > 0) throw authError('over_request_rate_limit', { headers: { 'retry-after': String(Math.ceil(waitSeconds)) } })
    },
    forget: (bucket, key) => forget(`${bucket} ${key}`),
    spendMail() {
      if (!settings.email.smtp) return
      const perHour = settings.rateLimits.emailSent
      const waitSeconds = perHour > 0 ? take('mail', perHour / 3600, perHour) : 3600
      if (waitSeconds > 0) throw authError('over_email_send_rate_limit', { headers: { 'retry-after': String(Math.ceil(waitSeconds)) } })
    },
    spendText() {
      if (settings.sms.provider === '') return
      const perHour = settings.rateLimits.smsSent
      const waitSeconds = perHour > 0 ? take('text', perHour / 3600, perHour) : 3600
      if (waitSeconds > 0) throw authError('over_sms_send_rate_limit', { message: 'SMS rate limit exceeded', headers: { 'retry-after': String(Math.ceil(waitSeconds)) } })
    },
    rememberAsking: (what, address) => remember(`${what} ${address}`, settings.email.maxFrequencySeconds, 'over_email_send_rate_limit'),
    forgetAsking: (what, address) => void asked.delete(`${what} ${address}`),
    forgetTexting: (what, phone) => void asked.delete(`text ${what} ${phone}`),
    rememberTexting: (what, phone) => remember(`text ${what} ${phone}`, settings.sms.maxFrequencySeconds, 'over_sms_send_rate_limit'),
  }
}
