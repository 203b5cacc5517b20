import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProjectKeys } from '#contract/keys.ts'
import { functionsFolder, type EdgeFunction } from './catalog.ts'
import type { FunctionsSettings } from './settings.ts'

export interface EnvironmentDeps {
  settings: FunctionsSettings
  keys: ProjectKeys
  /** Where functions reach the box. */
  origin: string
  /** A Postgres by URL; left out when the built-in engine holds the rows. */
  databaseUrl?: string
  /** Reads the text of a `.env` file. */
  parseDotenv(text: string): Readonly<Record<string, string>>
}

export interface FunctionEnvironment {
  /** What `Deno.env` shows. */
  values: Readonly<Record<string, string>>
  /** Values that no log may show. */
  secrets: readonly string[]
}

// What the CLI keeps from functions; a project's own values may not take the place of the box's.
const isReserved = (name: string): boolean => name.startsWith('SUPABASE_') || ['HOME', 'HOSTNAME', 'PATH', 'PWD'].includes(name)

// What the loader of programs and Deno itself obey: libraries to load, who grants permissions, files to write. A function's files must not lift its limits.
const liftsLimits = (name: string): boolean => /^(LD_|DYLD_|DENO_(?!ENV$|AUTH_TOKENS$)|NODE_OPTIONS$|SSLKEYLOGFILE$|GCONV_PATH$)/i.test(name)

const soundsSecret = (name: string): boolean => /KEY|SECRET|TOKEN|PASS|PWD|CREDENTIAL|DSN|PRIVATE/i.test(name)

// Shorter ones would make holes in every other line of a log.
const leastSecretLength = 8

function readDotenv({ settings, parseDotenv }: EnvironmentDeps): Readonly<Record<string, string>> {
  try {
    return parseDotenv(readFileSync(join(functionsFolder(settings.supabaseFolder ?? ''), '.env'), 'utf8'))
  } catch {
    return {}
  }
}

function passwordOf(databaseUrl: string): string[] {
  if (!URL.canParse(databaseUrl)) return [databaseUrl]
  const { password } = new URL(databaseUrl)
  return [password, decodeURIComponent(password)]
}

function ownValues({ keys, origin, databaseUrl }: EnvironmentDeps): Record<string, string> {
  return {
    SUPABASE_URL: origin,
    SUPABASE_ANON_KEY: keys.anonKey,
    SUPABASE_SERVICE_ROLE_KEY: keys.serviceRoleKey,
    ...(databaseUrl === undefined ? {} : { SUPABASE_DB_URL: databaseUrl }),
    SUPABASE_PUBLISHABLE_KEYS: JSON.stringify({ default: keys.publishableKey }),
    SUPABASE_SECRET_KEYS: JSON.stringify({ default: keys.secretKey }),
    SUPABASE_JWKS: JSON.stringify({ keys: keys.publicJwks }),
  }
}

/**
 * Puts together what a function finds in its environment: the project's addresses and keys, `[edge_runtime.secrets]`,
 * `supabase/functions/.env` (read anew for each worker), the function's own `env`; the later wins, and none over the box's own names.
 *
 * @see supabase/cli internal/functions/serve/serve.go, `ServeFunctions`
 */
export function makeEnvironment(deps: EnvironmentDeps, edgeFunction: EdgeFunction): FunctionEnvironment {
  const { keys, settings, databaseUrl } = deps
  const given = Object.entries({ ...settings.secrets, ...readDotenv(deps), ...edgeFunction.env }).filter(([name, value]) => !isReserved(name) && !liftsLimits(name) && value !== '')
  const secrets = [
    keys.serviceRoleKey,
    keys.secretKey,
    keys.jwtSecret,
    ...(databaseUrl === undefined ? [] : [databaseUrl, ...passwordOf(databaseUrl)]),
    ...given.filter(([name]) => soundsSecret(name)).map(([, value]) => value),
  ]
  return {
    values: { ...Object.fromEntries(given), ...ownValues(deps) },
    secrets: secrets.filter((secret) => secret.length >= leastSecretLength),
  }
}
