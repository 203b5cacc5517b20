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
const leastS3Secret = 16

// What every project of the CLI and of the self-hosting guide begins with stands in public documents. On this machine alone it is no secret
// either: any page a browser has open can ask the box with a key signed by it.
const published: readonly string[] = [
  'super-secret-jwt-token-with-at-least-32-characters-long',
  'your-super-secret-jwt-token-with-at-least-32-characters-long',
  'sb_secret_N7UND0UgjKTVK-Uodkm0Hg_xSvEMPvz',
]

const isPublished = (value: string): boolean => published.includes(value) || claimsOf(value)['iss'] === 'supabase-demo'

function claimsOf(jwt: string): Record<string, unknown> {
  try {
    const claims: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())
    return typeof claims === 'object' && claims !== null ? (claims as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

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

// Named as the hosted storage API names them.
const s3Names = { accessKeyId: 'S3_PROTOCOL_ACCESS_KEY_ID', secretAccessKey: 'S3_PROTOCOL_ACCESS_KEY_SECRET' } as const

function readS3Keys(env: KeySources['env'], found: Found): Pick<GivenKeys, 's3'> {
  const [accessKeyId = '', secretAccessKey = ''] = [env[s3Names.accessKeyId], env[s3Names.secretAccessKey]]
  if (accessKeyId === '' && secretAccessKey === '') return {}
  if (accessKeyId === '' || secretAccessKey === '') {
    found.faults.push(`${accessKeyId === '' ? s3Names.accessKeyId : s3Names.secretAccessKey} is missing: ${s3Names.accessKeyId} and ${s3Names.secretAccessKey} go together`)
  } else if (/[\s/,=]/.test(accessKeyId)) found.faults.push(`${s3Names.accessKeyId}: may hold no blank, slash, comma or equals sign`)
  else if (secretAccessKey.length < leastS3Secret) found.faults.push(`${s3Names.secretAccessKey}: must be at least ${leastS3Secret} characters long`)
  return { s3: { accessKeyId, secretAccessKey } }
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
    if (name !== 'anonKey' && isPublished(value)) {
      found.warnings.push(`${place} is one that Supabase publishes for trying things out: anybody can act as an administrator of this box. Use one of your own, or take it out to have one made.`)
    }
    given[name] = value
  }
  return { ...given, ...readS3Keys(env, found) }
}
