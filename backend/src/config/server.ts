import { z } from 'zod'
import type { Environment } from './environment.ts'
import { sayIssue } from './fault-words.ts'
import { count, flag, port, texts } from './scalars.ts'

const limit = (least: number, most: number) => count.pipe(z.number().min(least).max(most)).optional()

/** A secret goes there: in clear it leaves this machine for nobody. */
const isSafe = (address: string): boolean => address.startsWith('https:') || /^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(new URL(address).hostname)

const times = (value: number | undefined, unit: number): number | undefined => (value === undefined ? undefined : value * unit)

const given = <T extends object>(members: T): { [Name in keyof T]?: NonNullable<T[Name]> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never

const schema = z
  .object({
    PORTICO_HOST: z.string().optional(),
    PORTICO_PORT: port.optional(),
    PORTICO_MAILBOX_PORT: port.optional(),
    PORTICO_IDENTITY_PORT: port.optional(),
    PORTICO_ALLOWED_HOSTS: texts.default([]),
    PORTICO_TRUSTED_PROXIES: texts.default([]),
    PORTICO_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
    PORTICO_DATABASE_URL: z.string().regex(/^postgres(ql)?:\/\//, 'must start with postgres://').optional(),
    PORTICO_CAPTCHA_URL: z.url({ protocol: /^https?$/ }).refine(isSafe, 'must start with https://, unless it is on this machine').optional(),
    PORTICO_CHECK_BREACHED_PASSWORDS: flag.default(false),
    PORTICO_BREACHED_PASSWORDS_URL: z.url({ protocol: /^https?$/ }).default('https://api.pwnedpasswords.com'),
    PORTICO_REQUIRE_CURRENT_PASSWORD: flag.default(false),
    PORTICO_SINGLE_SESSION: flag.default(false),
    PORTICO_DURABLE: flag.default(true),
    PORTICO_FUNCTIONS_MEMORY_MB: limit(64, 65_536),
    PORTICO_FUNCTIONS_CPU_SECONDS: limit(1, 3600),
    PORTICO_FUNCTIONS_WALL_SECONDS: limit(10, 86_400),
    PORTICO_FUNCTIONS_READ_SECONDS: limit(1, 86_400),
    PORTICO_FUNCTIONS_IDLE_SECONDS: limit(1, 86_400),
    PORTICO_FUNCTIONS_REQUESTS: limit(1, 100_000),
    PORTICO_FUNCTIONS_WORKERS: limit(1, 1000),
    PORTICO_REALTIME_CONNECTIONS: limit(1, 1_000_000),
    PORTICO_REALTIME_CHANNELS: limit(1, 100_000),
    PORTICO_REALTIME_JOINS_PER_SECOND: limit(1, 1_000_000),
    PORTICO_REALTIME_MESSAGES_PER_SECOND: limit(1, 1_000_000),
    PORTICO_REALTIME_PRESENCES_PER_SECOND: limit(1, 1_000_000),
  })
  .transform((env) => ({
    /** Undefined: loopback. */
    host: env.PORTICO_HOST,
    /** Undefined: 54321 or the next free one. */
    port: env.PORTICO_PORT,
    mailboxPort: env.PORTICO_MAILBOX_PORT,
    identityPort: env.PORTICO_IDENTITY_PORT,
    /** Host names that are answered besides loopback's own. */
    allowedHosts: env.PORTICO_ALLOWED_HOSTS,
    /** Addresses whose `X-Forwarded-*` headers are believed. */
    trustedProxies: env.PORTICO_TRUSTED_PROXIES,
    /** What clients call the box when a proxy stands before it: `https://api.example.com`. */
    publicUrl: env.PORTICO_PUBLIC_URL?.replace(/\/+$/, ''),
    databaseUrl: env.PORTICO_DATABASE_URL,
    /** Asked in place of the captcha provider of `config.toml`. */
    captchaUrl: env.PORTICO_CAPTCHA_URL,
    /** Settings of a hosted project that `config.toml` has no words for. */
    auth: {
      /** Undefined: passwords are not looked up. */
      breachedPasswordsUrl: env.PORTICO_CHECK_BREACHED_PASSWORDS ? env.PORTICO_BREACHED_PASSWORDS_URL.replace(/\/+$/, '') : undefined,
      /** A new password needs the old one. */
      requireCurrentPassword: env.PORTICO_REQUIRE_CURRENT_PASSWORD,
      /** A newer sign-in ends a person's other sessions. */
      singleSession: env.PORTICO_SINGLE_SESSION,
    },
    /** Every commit reaches the disk before it is acknowledged. Off, it is faster, and a power cut may cost the last moments. */
    durable: env.PORTICO_DURABLE,
    /** Only what is not to be as hosted. */
    functionLimits: given({
      memoryBytes: times(env.PORTICO_FUNCTIONS_MEMORY_MB, 1024 * 1024),
      cpuMs: times(env.PORTICO_FUNCTIONS_CPU_SECONDS, 1000),
      wallMs: times(env.PORTICO_FUNCTIONS_WALL_SECONDS, 1000),
      readMs: times(env.PORTICO_FUNCTIONS_READ_SECONDS, 1000),
      idleMs: times(env.PORTICO_FUNCTIONS_IDLE_SECONDS, 1000),
      requests: env.PORTICO_FUNCTIONS_REQUESTS,
      workers: env.PORTICO_FUNCTIONS_WORKERS,
    }),
    /** Only what is not to be as hosted; messages and joins of one socket are held to the same numbers as those of all. */
    realtimeLimits: given({
      maxConnections: env.PORTICO_REALTIME_CONNECTIONS,
      maxChannelsPerConnection: env.PORTICO_REALTIME_CHANNELS,
      maxJoinsPerSecond: env.PORTICO_REALTIME_JOINS_PER_SECOND,
      maxJoinsPerSecondPerConnection: env.PORTICO_REALTIME_JOINS_PER_SECOND,
      maxEventsPerSecond: env.PORTICO_REALTIME_MESSAGES_PER_SECOND,
      maxEventsPerSecondPerConnection: env.PORTICO_REALTIME_MESSAGES_PER_SECOND,
      maxPresenceEventsPerSecond: env.PORTICO_REALTIME_PRESENCES_PER_SECOND,
    }),
  }))

export interface ServerConfig extends z.output<typeof schema> {
  /** How this machine reaches registries, for the Deno that runs functions: proxies, certificates, npm's registry. */
  downloads: Readonly<Record<string, string>>
  /** A Deno of the operator's own. Undefined: the one npm installed. A project cannot name a program: its `.env` is not asked. */
  denoPath: string | undefined
}

const downloadNames = [
  'NPM_CONFIG_REGISTRY', 'JSR_URL', 'DENO_AUTH_TOKENS', 'DENO_CERT', 'DENO_TLS_CA_STORE', 'SSL_CERT_FILE', 'SSL_CERT_DIR',
  'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy', 'HOME', 'USERPROFILE', 'SystemRoot',
]

function readDownloads(env: Environment): Record<string, string> {
  const named: Environment = {
    ...env,
    // npm itself spells its variable small.
    NPM_CONFIG_REGISTRY: env.NPM_CONFIG_REGISTRY ?? env.npm_config_registry,
    // Whom the machine and Node trust is trusted, a company's own authority for one.
    DENO_TLS_CA_STORE: env.DENO_TLS_CA_STORE ?? 'mozilla,system',
    DENO_CERT: env.DENO_CERT ?? env.NODE_EXTRA_CA_CERTS,
  }
  return Object.fromEntries(downloadNames.flatMap((name) => {
    const value = named[name]
    return value === undefined || value === '' ? [] : [[name, value]]
  }))
}

/**
 * Reads the box's own settings. Faults are added to `faults`, by the variable's name and without its value.
 *
 * @param ofProcess the environment without what the project's files add to it.
 */
export function readServer(env: Environment, ofProcess: Environment, faults: string[]): ServerConfig {
  const parsed = schema.safeParse(env, { error: sayIssue })
  const outside = { downloads: readDownloads(env), denoPath: ofProcess.PORTICO_DENO }
  if (parsed.success) return { ...parsed.data, ...outside }
  faults.push(...parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`))
  return { ...schema.parse({}), ...outside }
}
