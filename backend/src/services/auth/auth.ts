import { availableParallelism } from 'node:os'

import type { Clock } from '#contract/clock.ts'
import type { ProjectKeys } from '#contract/keys.ts'
import type { Logger } from '#contract/logger.ts'
import type { Mailer } from '#contract/mailer.ts'
import type { TextSender } from '#contract/text-sender.ts'
import type { Database } from '#database/database.ts'

import { createTokenSigner, type SignToken } from './access-tokens.ts'
import { systemRandomness, type Randomness } from './codes.ts'
import { createIssuers, type Issuers } from './providers/issuers.ts'
import { createOutbound, type Outbound, type Reach } from './outbound.ts'
import { createPasswords, type Passwords } from './passwords.ts'
import { createRateLimits, type RateLimits } from './rate-limits.ts'
import { createRedirects, type Redirects } from './redirects.ts'
import type { AuthSettings } from './settings.ts'
import { createTransact, type Transact } from './transactions.ts'

/** What the auth service is built from. */
export interface AuthDeps {
  database: Database
  logger: Logger
  clock: Clock
  keys: ProjectKeys
  settings: AuthSettings
  mailer: Mailer
  /** Left out: no text can be sent. */
  texts?: TextSender
  random?: Randomness
  /** The way out to other servers; tests that have no Internet give their own. */
  outbound?: (reach: Reach) => Outbound
}

/** What every rule of this service stands on. */
export interface Auth {
  settings: AuthSettings
  keys: ProjectKeys
  logger: Logger
  mailer: Mailer
  texts: TextSender
  random: Randomness
  passwords: Passwords
  redirects: Redirects
  limits: RateLimits
  signToken: SignToken
  outbound: (reach: Reach) => Outbound
  /** Whether names are looked up before a provider is added; tests that have no Internet have no names either. */
  resolvesNames: boolean
  issuers: Issuers
  /** `iss` of access tokens. */
  issuer: string
  now(): Date
  /** Runs statements in one transaction under the role that owns the auth schema. */
  transact: Transact
}

// Hashing runs in Node's pool of four threads; one stays free for files and name look-ups. A processor stays free too, so that
// many who sign in at once do not keep everybody else waiting.
const hashesAtOnce = Math.max(1, Math.min(availableParallelism() - 1, 3))

const noSender: TextSender = { send: () => Promise.reject(new Error('no provider is configured')) }

export function createAuth(deps: AuthDeps): Auth {
  const { settings, clock, keys } = deps
  const roads = { anywhere: createOutbound('anywhere'), public: createOutbound('public') }
  return {
    settings,
    keys,
    logger: deps.logger,
    mailer: deps.mailer,
    texts: deps.texts ?? noSender,
    random: deps.random ?? systemRandomness,
    passwords: createPasswords(hashesAtOnce),
    redirects: createRedirects(settings),
    limits: createRateLimits(settings, clock),
    signToken: createTokenSigner(keys),
    outbound: deps.outbound ?? ((reach) => roads[reach]),
    resolvesNames: deps.outbound === undefined,
    issuers: createIssuers(() => clock.now()),
    issuer: settings.issuer ?? settings.externalUrl,
    now: () => new Date(clock.now()),
    transact: createTransact(deps.database),
  }
}
