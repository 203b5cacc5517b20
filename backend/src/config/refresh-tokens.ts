import { z } from 'zod'

import type { Environment } from './environment.ts'
import { sayIssue } from './fault-words.ts'
import { count, flag } from './scalars.ts'

const upTo = (most: number) => count.pipe(z.number().max(most))

const schema = z.object({
  GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION: upTo(2).default(0),
  GOTRUE_SECURITY_REFRESH_TOKEN_UPGRADE_PERCENTAGE: upTo(100).default(0),
  GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE: flag.default(false),
})

/** The kind of refresh tokens, which `config.toml` has no words for; the names are the hosted auth server's own. */
export interface RefreshTokenConfig {
  /** 0 and 1 are the first kind, there as here. */
  version: 1 | 2
  upgradePercentage: number
  allowReuse: boolean
}

/** Faults are added to `faults`. @see supabase/auth internal/conf/configuration.go, `SecurityConfiguration` */
export function readRefreshTokens(env: Environment, faults: string[]): RefreshTokenConfig {
  const parsed = schema.safeParse(env, { error: sayIssue })
  if (!parsed.success) faults.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  const given = parsed.success ? parsed.data : schema.parse({})
  return {
    version: given.GOTRUE_SECURITY_REFRESH_TOKEN_ALGORITHM_VERSION === 2 ? 2 : 1,
    upgradePercentage: given.GOTRUE_SECURITY_REFRESH_TOKEN_UPGRADE_PERCENTAGE,
    allowReuse: given.GOTRUE_SECURITY_REFRESH_TOKEN_ALLOW_REUSE,
  }
}
