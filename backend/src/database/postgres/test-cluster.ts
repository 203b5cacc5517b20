import { execFileSync, spawn } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A throw-away Postgres server. */
export interface TestCluster {
  port: number
  /** Folder of the Unix socket. */
  socketDir: string
  dataDir: string
  url(user: string, password?: string): string
  /** Stops the server at once, as a crash would. */
  crash(): void
  start(): Promise<void>
  remove(): void
}

const versionsFolder = '/usr/lib/postgresql'

const isRoot = process.getuid?.() === 0

function hasPostgresUser(): boolean {
  try {
    execFileSync('id', ['-u', 'postgres'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** The folder of `initdb` and `postgres`: what `PORTICO_TEST_PG_BIN` names, else Debian's newest; undefined when there is none, or nobody to run it. */
export function findPostgres(): string | undefined {
  // A server refuses to run as root.
  if (isRoot && !hasPostgresUser()) return undefined
  const named = process.env.PORTICO_TEST_PG_BIN
  if (named !== undefined) return named
  if (!existsSync(versionsFolder)) return undefined
  const [newest] = readdirSync(versionsFolder).filter((version) => Number(version) >= 15).sort((a, b) => Number(b) - Number(a))
  const folder = join(versionsFolder, newest ?? '', 'bin')
  return newest !== undefined && existsSync(join(folder, 'initdb')) ? folder : undefined
}

const asPostgres = (command: readonly string[]): [string, string[]] =>
  isRoot ? ['runuser', ['-u', 'postgres', '--', ...command]] : [command[0] as string, command.slice(1)]

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

/** Makes and starts a server whose superuser `postgres` is trusted over the Unix socket and needs a password over TCP. */
export async function startTestCluster(bin: string, settings: readonly string[] = []): Promise<TestCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'portico-pg-'))
  if (isRoot) chownSync(folder, Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })), 0)
  const dataDir = join(folder, 'data')
  const port = await freePort()
  execFileSync(...asPostgres([join(bin, 'initdb'), '-D', dataDir, '-U', 'postgres', '-A', 'trust', '--auth-host=scram-sha-256', '--no-sync', '--locale=C.UTF-8', '-E', 'UTF8']), { cwd: folder, stdio: 'ignore' })
  const control = (...words: string[]): void => {
    execFileSync(...asPostgres([join(bin, 'pg_ctl'), '-D', dataDir, '-s', ...words]), { cwd: folder, stdio: 'ignore' })
  }
  const start = async (): Promise<void> => {
    const options = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', `unix_socket_directories=${folder}`, '-c', 'fsync=off', ...settings]
    spawn(...asPostgres([join(bin, 'postgres'), '-D', dataDir, ...options]), { cwd: folder, stdio: 'ignore', detached: true }).unref()
    for (let waited = 0; waited < 10_000; waited += 50) {
      await sleep(50)
      if (isUp()) return
    }
    throw new Error('the test server did not start')
  }
  const isUp = (): boolean => {
    try {
      execFileSync(join(bin, 'pg_isready'), ['-q', '-h', folder, '-p', String(port)])
      return true
    } catch {
      return false
    }
  }
  await start()
  return {
    port,
    socketDir: folder,
    dataDir,
    url: (user, password) => password === undefined
      ? `postgres://${user}@localhost:${port}/postgres?host=${folder}`
      : `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`,
    crash: () => control('stop', '-m', 'immediate'),
    start,
    remove() {
      try { control('stop', '-m', 'immediate') } catch { /* already down */ }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
