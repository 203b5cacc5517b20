import { z } from 'zod'
import { apiSection, type ApiConfig } from './config/api.ts'
import { authSection, type AuthConfig } from './config/auth.ts'
import type { MailTemplateConfig } from './config/auth-mail.ts'
import { dbSection, type DbConfig } from './config/db.ts'
import { joinEnvironments, parseDotenv, type Environment } from './config/environment.ts'
import { isAnsweredLocally } from './config/external.ts'
import { readFileStore, type FileStoreConfig } from './config/file-store.ts'
import { edgeRuntimeSection, functionsSection, type EdgeRuntimeConfig, type FunctionsConfig } from './config/functions.ts'
import { listNotHeeded } from './config/not-heeded.ts'
import { realtimeSection, type RealtimeConfig } from './config/realtime.ts'
import { readRefreshTokens, type RefreshTokenConfig } from './config/refresh-tokens.ts'
import { readSaml, type SamlConfig } from './config/saml.ts'
import { readServer, type ServerConfig } from './config/server.ts'
import { storageSection, type StorageConfig } from './config/storage.ts'
import { parseToml, readTree, resolveReferences } from './config/toml.ts'
import type { GivenKeys } from './keys/keys.ts'
import { readGivenKeys } from './keys/read-keys.ts'
import { signingKeyFaults } from './keys/signing-keys.ts'

export type { ApiConfig, AuthConfig, DbConfig, EdgeRuntimeConfig, Environment, FunctionsConfig, RealtimeConfig, ServerConfig, StorageConfig }

export interface Config {
  projectId: string
  api: ApiConfig
  db: DbConfig
  auth: AuthConfig
  storage: StorageConfig
  fileStore: FileStoreConfig
  functions: FunctionsConfig
  edgeRuntime: EdgeRuntimeConfig
  realtime: RealtimeConfig
  server: ServerConfig
  saml: SamlConfig
  refreshTokens: RefreshTokenConfig
}

/** What `readConfig` reads. It opens no file and no environment by itself. */
export interface ConfigSources {
  /** The process environment; wins over `.env` files. */
  env: Environment
  /** Text of `config.toml`; left out when the project has none. */
  configToml?: string
  /** Texts of `.env` files, nearest first. */
  dotenv?: readonly string[]
  /** Reads a file that the configuration names, relative to the project; undefined when it is not there. */
  readText?: (path: string) => string | undefined
}

export interface ConfigReading {
  config: Config
  /** Secrets given from outside, apart from the rest. */
  keys: GivenKeys
  /** One sentence each, without secrets. */
  warnings: readonly string[]
}

/** The configuration cannot be used. Lists every fault, none with a secret's value. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(`The configuration has ${faults.length === 1 ? 'a fault' : `${faults.length} faults`}:\n${faults.map((fault) => `  - ${fault}`).join('\n')}`)
    this.name = 'ConfigError'
    this.faults = faults
  }
}

// Sections of the CLI that say nothing to the box.
const unheeded = new Set(['studio', 'inbucket', 'local_smtp', 'analytics', 'experimental', 'remotes', 'workdir'])

const wholeFile = z.strictObject({
  project_id: z.string().default(''),
  api: apiSection.prefault({}),
  db: dbSection.prefault({}),
  auth: authSection.prefault({}),
  storage: storageSection.prefault({}),
  functions: functionsSection.default({}),
  edge_runtime: edgeRuntimeSection.prefault({}),
  realtime: realtimeSection.prefault({}),
})

interface Findings {
  faults: string[]
  warnings: string[]
}

function readTemplates(templates: Record<string, MailTemplateConfig>, sources: ConfigSources, found: Findings): Record<string, MailTemplateConfig> {
  const read = (name: string, template: MailTemplateConfig): MailTemplateConfig => {
    const { contentPath, ...rest } = template
    if (contentPath === undefined) return template
    const content = sources.readText?.(contentPath)
    if (content !== undefined) return { ...rest, content }
    found.warnings.push(`The mail template "${name}" names ${contentPath}, which is not there; the default text is used.`)
    return rest
  }
  return Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, read(name, template)]))
}

function readSigningKeys(path: string, sources: ConfigSources, found: Findings): JsonWebKey[] {
  if (path === '') return []
  const text = sources.readText?.(path)
  try {
    const value: unknown = JSON.parse(text ?? '')
    if (Array.isArray(value)) {
      found.faults.push(...signingKeyFaults(value).map((fault) => `auth.signing_keys_path: ${path}: ${fault}`))
      return value as JsonWebKey[]
    }
  } catch {
    // Said below, without the file's content.
  }
  found.faults.push(`auth.signing_keys_path: ${path} ${text === undefined ? 'is not there' : 'is not a JSON list of keys'}`)
  return []
}

// A provider without its credentials is a switch left on, not a reason to keep the whole project from starting.
function withUsableProviders(external: AuthConfig['external'], found: Findings): AuthConfig['external'] {
  const unusable = Object.entries(external).filter(([name, provider]) => provider.enabled && provider.clientId === '' && !isAnsweredLocally(name, provider)).map(([name]) => name)
  if (unusable.length > 0) found.warnings.push(`Sign-in providers without a client_id are off: ${unusable.join(', ')}.`)
  return Object.fromEntries(Object.entries(external).map(([name, provider]) => [name, { ...provider, enabled: provider.enabled && !unusable.includes(name) }]))
}

function readFile(sources: ConfigSources, env: Environment, found: Findings): z.output<typeof wholeFile> | undefined {
  const parsed = parseToml(sources.configToml ?? '')
  if ('fault' in parsed) {
    found.faults.push(`config.toml, ${parsed.fault}`)
    return undefined
  }
  const missing = new Set<string>()
  const heeded = Object.fromEntries(Object.entries(parsed.tree).filter(([section]) => !unheeded.has(section)))
  const tree = resolveReferences(heeded, env, missing) as Record<string, unknown>
  const reading = readTree(wholeFile, tree)
  const notHeeded = listNotHeeded(tree)
  if (missing.size > 0) found.warnings.push(`config.toml names environment variables that are not set: ${[...missing].join(', ')}.`)
  if (reading.unknown.length > 0) found.warnings.push(`config.toml has keys that are not known here and are left aside: ${reading.unknown.join(', ')}.`)
  if (notHeeded.length > 0) found.warnings.push(`config.toml switches on what this version does not do; count on none of it: ${notHeeded.join(', ')}.`)
  found.faults.push(...reading.faults.map((fault) => `config.toml, ${fault}`))
  return reading.value
}

// Without the proxies' addresses their own one is all that is seen, and one bad client uses up everybody's tries.
function warnOfUnknownProxy({ publicUrl, trustedProxies }: ServerConfig, found: Findings): void {
  if (publicUrl?.startsWith('https:') !== true || trustedProxies.length > 0) return
  found.warnings.push('PORTICO_PUBLIC_URL names a proxy, PORTICO_TRUSTED_PROXIES does not say its address: everybody behind it shares one rate limit.')
}

/**
 * Turns environment, `.env` files and `config.toml` into one plain `Config`.
 *
 * @throws ConfigError that lists every fault at once.
 */
export function readConfig(sources: ConfigSources): ConfigReading {
  const found: Findings = { faults: [], warnings: [] }
  const env = joinEnvironments([sources.env, ...(sources.dotenv ?? []).map(parseDotenv)])
  const file = readFile(sources, env, found)
  const server = readServer(env, sources.env, found.faults)
  const saml = readSaml(env, found.faults)
  const refreshTokens = readRefreshTokens(env, found.faults)
  const keys = readGivenKeys({ env, file: file?.auth.keys }, found)
  const { store: fileStore, keys: fileStoreKeys } = readFileStore(env, found.faults)
  const signingJwks = readSigningKeys(file?.auth.signingKeysPath ?? '', sources, found)
  warnOfUnknownProxy(server, found)
  if (file === undefined || found.faults.length > 0) throw new ConfigError(found.faults)

  const { email } = file.auth
  const config: Config = {
    projectId: file.project_id,
    api: file.api,
    db: file.db,
    auth: {
      ...file.auth,
      external: withUsableProviders(file.auth.external, found),
      email: {
        ...email,
        templates: readTemplates(email.templates, sources, found),
        notifications: readTemplates(email.notifications, sources, found),
      },
    },
    storage: file.storage,
    fileStore,
    functions: file.functions,
    edgeRuntime: file.edge_runtime,
    realtime: file.realtime,
    server,
    saml,
    refreshTokens,
  }
  return {
    config,
    keys: { ...keys, ...(signingJwks.length > 0 ? { signingJwks } : {}), ...(fileStoreKeys === undefined ? {} : { fileStore: fileStoreKeys }) },
    warnings: found.warnings,
  }
}
