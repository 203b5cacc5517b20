import type { GivenKeys } from './keys.ts'

interface KeySources {
  env: Readonly<Record<string, string | undefined>>
  /** What `[auth]` of config.toml holds; an empty text is none. */
  file: Readonly<Record<KeyName, string>> | undefined
}

type KeyName = 'publishableKey' | 'secretKey' | 'jwtSecret' | 'anonKey' | 'serviceRoleKey'

interface Found {
  faults: string[]
  warnings: string[]
}

type Check = (value: string) => string | undefined

const startsWith = (prefix: string): Check => (value) => (value.startsWith(prefix) ? undefined : `must start with ${prefix}`)
const isJwt: Check = (value) => (value.split('.').length === 3 ? undefined : 'must be a JWT')
const hasBytes = (least: number): Check => (value) => (Buffer.byteLength(value) >= least ? undefined : `must be at least ${least} bytes long`)

// What the CLI takes in a project folder; whoever gives a secret to this process alone can give a good one.
const leastSecretInFile = 16
const leastSecret = 32

interface Key {
  variable: string
  /** Its key in `[auth]`. */
  written: string
  check: Check
  checkInFile?: Check
}

const keys: Readonly<Record<KeyName, Key>> = {
  publishableKey: { variable: 'PORTICO_PUBLISHABLE_KEY', written: 'publishable_key', check: startsWith('sb_publishable_') },
  secretKey: { variable: 'PORTICO_SECRET_KEY', written: 'secret_key', check: startsWith('sb_secret_') },
  jwtSecret: { variable: 'PORTICO_JWT_SECRET', written: 'jwt_secret', check: hasBytes(leastSecret), checkInFile: hasBytes(leastSecretInFile) },
  anonKey: { variable: 'PORTICO_ANON_KEY', written: 'anon_key', check: isJwt },
  serviceRoleKey: { variable: 'PORTICO_SERVICE_ROLE_KEY', written: 'service_role_key', check: isJwt },
}

/**
 * Reads the keys an operator gives: the environment wins over `[auth]` of config.toml.
 * Faults and warnings are added to `found`, each by the place the value stands in and without the value.
 *
 * @see supabase/cli pkg/config/apikeys.go, for the least length of `jwt_secret`
 */
export function readGivenKeys({ env, file }: KeySources, found: Found): GivenKeys {
  const given: Partial<Record<KeyName, string>> = {}
  for (const name of Object.keys(keys) as KeyName[]) {
    const { variable, written, check, checkInFile = check } = keys[name]
    const outside = env[variable] || undefined
    const value = outside ?? (file?.[name] || undefined)
    if (value === undefined) continue
    const place = outside === undefined ? `config.toml, auth.${written}` : variable
    const fault = outside === undefined ? checkInFile(value) : check(value)
    if (fault !== undefined) found.faults.push(`${place}: ${fault}`)
    else if (check(value) !== undefined) {
      found.warnings.push(`${place} is shorter than ${leastSecret} bytes: it can be guessed, and with it anybody's sign-in. Use a longer one wherever others reach this box.`)
    }
    given[name] = value
  }
  return given
}
