import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ConnectionOptions } from 'node:tls'

export type SslMode = 'disable' | 'allow' | 'prefer' | 'require' | 'verify-ca' | 'verify-full'

export interface ConnectionSettings {
  /** Where to connect: a host and port, or a Unix socket's path. */
  address: { host: string; port: number } | { path: string }
  user: string
  password: string
  database: string
  sslMode: SslMode
  /** PEM text of the accepted roots; the system's own when left out. */
  sslRoot?: string
  applicationName: string
  connectTimeoutMs: number
  /** False behind a pooler that gives each transaction another session: nothing is kept prepared. */
  keepsPrepared: boolean
}

const sslModes: ReadonlySet<string> = new Set(['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'])

/** A database URL that cannot be used. Its message never holds the password. */
export class DatabaseUrlError extends Error {
  constructor(reason: string) {
    super(`The database URL is not usable: ${reason}.`)
    this.name = 'DatabaseUrlError'
  }
}

function parseUrl(text: string): URL {
  // A URL without a host names a Unix socket by its `host` parameter; the URL parser wants a host there.
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !['postgres:', 'postgresql:'].includes(url.protocol)) throw new DatabaseUrlError('it must look like postgres://user:password@host:port/database')
  return url
}

function decoded(part: string, name: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw new DatabaseUrlError(`its ${name} holds a % that is not followed by two hexadecimal digits`)
  }
}

function addressOf(url: URL): ConnectionSettings['address'] {
  const host = url.searchParams.get('host') ?? decoded(url.hostname, 'host').replace(/^\[(.*)\]$/, '$1')
  const port = Number(url.port || url.searchParams.get('port') || 5432)
  if (!Number.isInteger(port) || port < 1 || port > 65_535) throw new DatabaseUrlError('its port is not a number from 1 to 65535')
  return host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host: host || 'localhost', port }
}

function readRoot(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new DatabaseUrlError(`its sslrootcert ${path} cannot be read (${(cause as NodeJS.ErrnoException).code ?? 'error'})`)
  }
}

/**
 * Reads a `postgres://` URL as libpq does, as far as it goes: `sslmode`, `sslrootcert`, `host` (a folder for a Unix socket),
 * `port`, `application_name`, `connect_timeout` (seconds); and `pgbouncer=true` for a pooler in transaction mode, on which nothing is
 * heard: notifications need a session of one's own.
 *
 * @throws DatabaseUrlError
 */
export function readConnectionUrl(text: string): ConnectionSettings {
  const url = parseUrl(text)
  const sslMode = url.searchParams.get('sslmode') ?? 'prefer'
  if (!sslModes.has(sslMode)) throw new DatabaseUrlError(`its sslmode must be one of ${[...sslModes].join(', ')}`)
  const user = decoded(url.username, 'user') || url.searchParams.get('user') || 'postgres'
  const root = url.searchParams.get('sslrootcert')
  return {
    address: addressOf(url),
    user,
    password: decoded(url.password, 'password') || url.searchParams.get('password') || '',
    database: decoded(url.pathname.slice(1), 'database') || user,
    sslMode: sslMode as SslMode,
    ...(root !== null && root !== 'system' ? { sslRoot: readRoot(root) } : {}),
    applicationName: url.searchParams.get('application_name') ?? 'portico',
    connectTimeoutMs: Number(url.searchParams.get('connect_timeout') ?? 10) * 1000,
    keepsPrepared: url.searchParams.get('pgbouncer') !== 'true',
  }
}

/** What TLS checks under a mode: only the verify modes prove who answers. */
export function tlsOptions({ sslMode, sslRoot, address }: ConnectionSettings): ConnectionOptions {
  const host = 'host' in address ? address.host : 'localhost'
  // `require` with a root given means verify-ca, as in libpq.
  const verifies = sslMode === 'verify-full' || sslMode === 'verify-ca' || (sslMode === 'require' && sslRoot !== undefined)
  return {
    host,
    // An address is no server name.
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    rejectUnauthorized: verifies,
    ...(sslRoot !== undefined ? { ca: sslRoot } : {}),
    ...(sslMode === 'verify-full' ? {} : { checkServerIdentity: () => undefined }),
  }
}
