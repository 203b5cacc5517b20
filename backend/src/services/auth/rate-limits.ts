import type { Clock } from '#contract/clock.ts'

import { authError } from './errors.ts'
import type { AuthSettings } from './settings.ts'

/** What is counted apart, each address for itself. */
export type Bucket = 'token' | 'verify' | 'signup' | 'otp' | 'magiclink' | 'recover' | 'resend' | 'user' | 'anonymous' | 'register' | 'authorize' | 'web3' | 'sso' | 'factor_challenge' | 'factor_verify' | 'passkey' | 'passkey_verify'

/**
 * Keeps callers from asking too often. Counted by each process for itself, as the hosted backend does; what must hold whichever
 * process is asked is in `shared-limits.ts`. Forgets the longest-unseen ones first, so that it never grows past a bound.
 */
export interface RateLimits {
  /** @throws `over_request_rate_limit` (429) when an address has used its bucket up. */
  spend(bucket: Bucket, key: string): void
  /** @throws `over_email_send_rate_limit` (429) when the project has sent its mails of the hour. */
  spendMail(): void
  /** @throws `over_sms_send_rate_limit` (429) when the project has sent its texts of the hour. */
  spendText(): void
}

/** Most keys remembered; each costs about 100 bytes. */
const mostKeys = 20_000

/** Burst of every bucket but that of guests, as the hosted backend's limiter has it. */
const usualBurst = 30

interface Level {
  tokens: number
  at: number
}

function createBuckets(clock: Clock): (key: string, perSecond: number, size: number) => number {
  const levels = new Map<string, Level>()
  return (key, perSecond, size) => {
    const now = clock.now()
    const known = levels.get(key)
    const tokens = Math.min(size, (known?.tokens ?? size) + (known ? ((now - known.at) / 1000) * perSecond : 0))
    levels.delete(key)
    levels.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
    const oldest = levels.size > mostKeys ? levels.keys().next().value : undefined
    if (oldest !== undefined) levels.delete(oldest)
    return tokens >= 1 ? 0 : (1 - tokens) / perSecond
  }
}

const isLoopback = (ip: string): boolean => ip === '::1' || ip.startsWith('127.') || ip.startsWith('::ffff:127.')

function perSecondOf(bucket: Bucket, settings: AuthSettings): number {
  const limits = settings.rateLimits
  if (bucket === 'token' || bucket === 'authorize') return limits.tokenRefresh / 300
  if (bucket === 'register') return limits.clientRegistrations / 300
  if (bucket === 'verify') return limits.tokenVerifications / 300
  if (bucket === 'web3') return limits.web3 / 300
  if (bucket === 'factor_challenge' || bucket === 'factor_verify') return 15 / 60
  if (bucket === 'anonymous') return limits.anonymousUsers / 3600
  return limits.signInSignUps / 300
}

/** @see supabase/auth internal/api/apilimiter and docs of `[auth.rate_limit]` in config.toml */
export function createRateLimits(settings: AuthSettings, clock: Clock): RateLimits {
  const take = createBuckets(clock)
  return {
    spend(bucket, key) {
      if (!settings.rateLimits.countLoopback && isLoopback(key)) return
      const burst = bucket === 'anonymous' ? settings.rateLimits.anonymousUsers : usualBurst
      const waitSeconds = take(`${bucket} ${key}`, perSecondOf(bucket, settings), burst)
      if (waitSeconds > 0) throw authError('over_request_rate_limit', { headers: { 'retry-after': String(Math.ceil(waitSeconds)) } })
    },
    spendMail() {
      if (!settings.email.smtp) return
      const perHour = settings.rateLimits.emailSent
      const waitSeconds = perHour > 0 ? take('mail', perHour / 3600, perHour) : 3600
      if (waitSeconds > 0) throw authError('over_email_send_rate_limit', { headers: { 'retry-after': String(Math.ceil(waitSeconds)) } })
    },
    spendText() {
      // A hook sends what costs money, as a provider does; the local phone takes as many as come.
      if (settings.sms.provider === '' && !settings.hooks.sendSms) return
      const perHour = settings.rateLimits.smsSent
      const waitSeconds = perHour > 0 ? take('text', perHour / 3600, perHour) : 3600
      if (waitSeconds > 0) throw authError('over_sms_send_rate_limit', { message: 'SMS rate limit exceeded', headers: { 'retry-after': String(Math.ceil(waitSeconds)) } })
    },
  }
}
