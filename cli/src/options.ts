import { parseArgs } from 'node:util'
import { CommandError } from './command-error.ts'

export type Command =
  | { kind: 'help' }
  | { kind: 'version' }
  | { kind: 'status'; project: string; json: boolean }
  /** Prints the SQL that a hosted project adds, or writes it as a migration into a folder. */
  | { kind: 'pack'; folder?: string }
  /** Starts the box and the app over a project folder. */
  | { kind: 'box'; project: string; databaseUrl?: string; port?: number; host?: string; settings?: string; reset: boolean; yes: boolean; verbose: boolean }
  /** Serves the app alone, for a project that runs elsewhere. */
  | { kind: 'app'; url: string; key: string; port?: number; host?: string; settings?: string; verbose: boolean }

export const helpText = `Portico: the app and a backend for it, in one process.

Usage
  npm start                                the example project, with its data kept in examples/helpdesk/.portico
  npm start -- --project DIR               any folder in the Supabase CLI's layout
  npm start -- --url URL --key KEY         the app alone, for a project that runs elsewhere
  npm run -s status -- --json              addresses and keys of the box that runs
  npm run -s pack                          the SQL that gives a hosted project what the box has built in: its description
                                           for this app, and what people may do with their sessions and accounts
  npm run -s pack -- --write supabase/migrations
                                           the same as a migration in that folder

Options
  --project DIR       the folder that holds supabase/, or that folder itself
  --database URL      keep the data in this Postgres instead of the built-in one
  --port N            port of app and API; without it 54321, or the next free one; 0 is any free one
  --host ADDRESS      address to listen on; without it only this machine is answered
  --settings FILE     how the app looks and how people come in (docs/configuration.md); without it portico.json of the project's folder
  --write DIR         with pack: the folder of migrations
  --reset             forget the project's data and start anew; asks first
  --yes               do not ask
  --verbose           one line a request on the terminal too
  --version, --help

The environment can give keys and more: PORTICO_PUBLISHABLE_KEY, PORTICO_SECRET_KEY, PORTICO_JWT_SECRET, PORTICO_PORT,
PORTICO_HOST, PORTICO_DATABASE_URL, PORTICO_PUBLIC_URL, PORTICO_ALLOWED_HOSTS, PORTICO_TRUSTED_PROXIES, PORTICO_DURABLE.`

const flags = {
  project: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  database: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  settings: { type: 'string' },
  write: { type: 'string' },
  reset: { type: 'boolean' },
  yes: { type: 'boolean' },
  verbose: { type: 'boolean' },
  json: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

type Values = ReturnType<typeof parseFlags>['values']

function parseFlags(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: flags, allowPositionals: true, strict: true })
  } catch (cause) {
    // Node's own sentence ends in advice about positional arguments, of which there are none here.
    const message = (cause as Error).message.split(/\. To specify/)[0] ?? 'The options are not understood'
    throw new CommandError(`${message.replace(/\.$/, '')}. "npm start -- --help" lists the options.`, { cause })
  }
}

function readPort(text: string | undefined): { port?: number } {
  if (text === undefined) return {}
  const port = Number(text)
  if (!/^\d+$/.test(text) || port > 65_535) throw new CommandError(`--port takes a number from 0 (any free one) to 65535, not "${text}".`)
  return { port }
}

function roleOf(jwt: string): unknown {
  try {
    return (JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8')) as { role?: unknown }).role
  } catch {
    return undefined
  }
}

function checkPublicKey(key: string): void {
  if (key.startsWith('sb_secret_') || roleOf(key) === 'service_role') {
    throw new CommandError('--key is a secret key. The app works with the public key only (sb_publishable_… or the anon key): a secret one would give every visitor all rights.')
  }
  if (!key.startsWith('sb_publishable_') && roleOf(key) !== 'anon') throw new CommandError('--key is neither a publishable key (sb_publishable_…) nor an anon key.')
}

function readUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.search !== '' || url.hash !== '' || url.username !== '') {
    throw new CommandError(`--url takes the project's address, like https://abc.supabase.co, not "${text}".`)
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
}

function readAppCommand(values: Values, url: string, key: string): Command {
  const others = (['project', 'database', 'reset'] as const).filter((name) => values[name] !== undefined)
  if (others.length > 0) throw new CommandError(`--url serves the app alone; it does not go with --${others.join(', --')}.`)
  checkPublicKey(key)
  return { kind: 'app', url: readUrl(url), key, ...readPort(values.port), ...(values.host === undefined ? {} : { host: values.host }), ...(values.settings === undefined ? {} : { settings: values.settings }), verbose: values.verbose ?? false }
}

function readBoxCommand(values: Values, defaultProject: string): Command {
  const { database, host, settings, reset = false, yes = false, verbose = false } = values
  if (database !== undefined && !/^postgres(ql)?:\/\/./.test(database)) throw new CommandError('--database takes an address that starts with postgres://.')
  if (database !== undefined && reset) throw new CommandError('--reset empties the built-in database only; a Postgres of your own is yours to empty.')
  return {
    kind: 'box',
    project: values.project ?? defaultProject,
    ...(database === undefined ? {} : { databaseUrl: database }),
    ...readPort(values.port),
    ...(host === undefined ? {} : { host }),
    ...(settings === undefined ? {} : { settings }),
    reset,
    yes,
    verbose,
  }
}

function readPackCommand({ write, ...others }: Values): Command {
  const [other] = Object.keys(others)
  if (other !== undefined) throw new CommandError(`--${other} does not go with pack.`)
  return { kind: 'pack', ...(write === undefined ? {} : { folder: write }) }
}

/**
 * Reads the command line.
 *
 * @param defaultProject the folder used when none is named.
 * @throws CommandError for a wrong option, a missing part or a secret key.
 */
export function readCommand(args: readonly string[], defaultProject: string): Command {
  const { values, positionals } = parseFlags(args)
  const [word, ...rest] = positionals
  if (rest.length > 0 || (word !== undefined && word !== 'status' && word !== 'pack' && word !== 'start')) {
    throw new CommandError(`"${rest[0] ?? word}" is not understood. "npm start -- --help" lists the options.`)
  }
  if (values.help === true) return { kind: 'help' }
  if (values.version === true) return { kind: 'version' }
  if (word === 'status') return { kind: 'status', project: values.project ?? defaultProject, json: values.json ?? false }
  if (word === 'pack') return readPackCommand(values)
  if (values.write !== undefined) throw new CommandError('--write belongs to pack: npm run -s pack -- --write supabase/migrations')
  if (values.json !== undefined) throw new CommandError('--json belongs to status: npm run -s status -- --json')
  if (values.url === undefined && values.key === undefined) return readBoxCommand(values, defaultProject)
  if (values.url === undefined || values.key === undefined) throw new CommandError('--url and --key go together: the project\'s address and its publishable key.')
  return readAppCommand(values, values.url, values.key)
}
