import { basename, relative } from 'node:path'
import {
  createBackend,
  createJsonLogger,
  emptyDataFolder,
  findProjectFolder,
  mayOpenLocalIdentity,
  openDataFolder,
  openPort,
  readConfig,
  readProjectSources,
  systemClock,
  type Backend,
  type Config,
  type Logger,
  type OpenPort,
  type ProjectFolder,
} from '@portico/backend'
import { exposureNotes, originOf, portError, portsToTry } from './addresses.ts'
import { appFolder, templateFile } from './app-folder.ts'
import { brandFolderOf, readAppSettings, settingsFileOf, withKnownDoor, type AppSettings } from './app-settings.ts'
import { readSignIns, renderBanner } from './banner.ts'
import { CommandError } from './command-error.ts'
import { openLogFile, type LogFile } from './log-file.ts'
import type { Command } from './options.ts'
import { confirmReset } from './reset.ts'
import { readRunState, removeRunState, writeRunState, type Status } from './run-state.ts'
import { createAppServer, type AppConfig } from './serve-app.ts'
import { untilStopped } from './until-stopped.ts'

type BoxCommand = Extract<Command, { kind: 'box' }>

async function forget(project: ProjectFolder, yes: boolean): Promise<void> {
  const running = await readRunState(project.data).catch(() => undefined)
  if (running) throw new CommandError(`A box runs over ${project.data} (${running.APP_URL}). Stop it before its data is forgotten.`)
  await confirmReset(project.data, yes)
  await emptyDataFolder(project.data)
}

function createLogger(file: LogFile, verbose: boolean): Logger {
  return createJsonLogger({
    clock: systemClock,
    write: (line, level) => {
      file.write(line, level === 'error')
      if (verbose || level === 'error') process.stderr.write(`${line}\n`)
    },
  })
}

// What nobody awaited is a fault of ours: it is noted and one request is the poorer. What nobody caught leaves the process in a
// state nobody knows, and every acknowledged write is safe, so it ends.
function watchForFaults(log: Logger): void {
  process.on('unhandledRejection', (error) => log.error('unhandled rejection', { error }))
  process.on('uncaughtException', (error) => {
    log.error('uncaught exception', { error })
    process.exit(1)
  })
}

interface Addresses {
  postUrl: string
  identityUrl: string | undefined
  databaseUrl: string | undefined
}

const statusOf = ({ keys, origin, s3, mailbox, phone }: Backend, { postUrl, identityUrl, databaseUrl }: Addresses): Status => ({
  API_URL: origin,
  APP_URL: origin,
  MAILBOX_URL: mailbox ? postUrl : '',
  ...(phone ? { PHONE_URL: `${postUrl}/phone` } : {}),
  ...(identityUrl === undefined ? {} : { IDENTITY_URL: identityUrl }),
  ANON_KEY: keys.anonKey,
  SERVICE_ROLE_KEY: keys.serviceRoleKey,
  PUBLISHABLE_KEY: keys.publishableKey,
  SECRET_KEY: keys.secretKey,
  JWT_SECRET: keys.jwtSecret,
  ...(databaseUrl === undefined ? {} : { DB_URL: databaseUrl }),
  ...(s3 === undefined
    ? {}
    : { STORAGE_S3_URL: s3.url, S3_PROTOCOL_ACCESS_KEY_ID: s3.accessKeyId, S3_PROTOCOL_ACCESS_KEY_SECRET: s3.secretAccessKey, S3_PROTOCOL_REGION: s3.region }),
})

const nearest = (path: string): string => {
  const short = relative(process.cwd(), path)
  return short.startsWith('..') ? path : short
}

const usualMailboxPort = 54_324

// Whoever reads mailbox or phone can sign in as anybody, so they are never opened to other machines.
async function openMailbox({ mailbox, phone }: Backend, port: number | undefined): Promise<OpenPort | undefined> {
  const post = mailbox ?? phone
  if (!post) return undefined
  const opened = await takePort('127.0.0.1', portsToTry(port, usualMailboxPort))
  opened.serve({ fetch: (request) => post.fetch(request) })
  return opened
}

const usualIdentityPort = 54_325

// Whoever reaches it can be anybody, so it is never opened to other machines, nor by a box that is reached by others.
async function openIdentityPort(config: Config, place: { origin: string; boundHost: string }): Promise<{ port: OpenPort; url: string; serve(backend: Backend): void } | undefined> {
  if (!mayOpenLocalIdentity(config, place)) return undefined
  const port = await takePort('127.0.0.1', portsToTry(config.server.identityPort, usualIdentityPort))
  const serve = ({ localIdentity }: Backend): void => {
    if (localIdentity) port.serve({ fetch: (request) => localIdentity.fetch(request) })
  }
  return { port, url: originOf('127.0.0.1', port.port), serve }
}

// The people an example tells of can come in by the local identity provider too.
const peopleOf = (project: ProjectFolder) => readSignIns(project.root).map(({ email }) => ({ name: '', email }))

async function takePort(host: string, ports: readonly number[]): Promise<OpenPort> {
  try {
    return await openPort({ host, ports })
  } catch (error) {
    throw portError(error, host, ports)
  }
}

interface Start {
  command: BoxCommand
  project: ProjectFolder
  config: Config
  name: string
  settings: AppSettings
  log: LogFile
}

// Ids are written for machines: `help-desk` is "Help desk" to a person.
function titleOf(config: Config, project: ProjectFolder): string {
  const words = (config.projectId || basename(project.root)).replaceAll(/[-_]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const appConfigOf = (name: string, { keys, listFunctions }: Backend, settings: AppSettings): AppConfig => ({
  functions: listFunctions().map((each) => ({ name: each })),
  ...settings,
  projects: [{ name, url: '/', key: keys.publishableKey }],
})

// No browser ties a passkey to an address.
const passkeyNotes = ({ auth }: Config, host: string, port: number): string[] =>
  auth.passkeys && host === '127.0.0.1' ? [`Passkeys need a name: open http://localhost:${port} to try them.`] : []

async function serve({ command, project, config, name, settings, log }: Start, givenKeys: ReturnType<typeof readConfig>['keys'], warnings: readonly string[]): Promise<void> {
  const host = command.host ?? config.server.host ?? '127.0.0.1'
  const ports = portsToTry(command.port ?? config.server.port, config.api.port)
  const databaseUrl = command.databaseUrl ?? config.server.databaseUrl
  const logger = createLogger(log, command.verbose)
  watchForFaults(logger)
  const port = await takePort(host, ports)
  const stops: (() => Promise<unknown>)[] = [() => port.close()]
  const stop = async () => {
    for (const step of stops) await step()
  }
  try {
    const place = { origin: originOf(host, port.port), boundHost: host }
    const identity = await openIdentityPort(config, place)
    if (identity) stops.push(() => identity.port.close(0))
    const backend = await createBackend({
      ...place,
      config,
      keys: givenKeys,
      project,
      dataFolder: project.data,
      template: templateFile,
      log: logger,
      app: (request, url) => app(request, url),
      ...(databaseUrl === undefined ? {} : { databaseUrl }),
      ...(identity === undefined ? {} : { localIdentity: { origin: identity.url, project: name, people: peopleOf(project) } }),
    })
    identity?.serve(backend)
    stops.push(() => backend.close())
    const app = createAppServer({ folder: appFolder, brandFolder: brandFolderOf(command.settings ?? settingsFileOf(project.root)), config: () => appConfigOf(name, backend, settings) })
    port.serve(backend.gateway)
    const mailboxPort = await openMailbox(backend, config.server.mailboxPort)
    if (mailboxPort) stops.push(() => mailboxPort.close(0))
    const status = statusOf(backend, { postUrl: mailboxPort ? originOf('127.0.0.1', mailboxPort.port) : '', identityUrl: identity?.url, databaseUrl })
    await writeRunState(project.data, status)
    stops.unshift(() => removeRunState(project.data))
    console.log(renderBanner({
      name,
      appUrl: status.APP_URL,
      ...(status.MAILBOX_URL === '' ? {} : { mailboxUrl: status.MAILBOX_URL }),
      ...(status.PHONE_URL === undefined ? {} : { phoneUrl: status.PHONE_URL }),
      ...(identity === undefined ? {} : { identityUrl: identity.url }),
      publishableKey: status.PUBLISHABLE_KEY,
      secretKey: status.SECRET_KEY,
      signIns: readSignIns(project.root),
      data: databaseUrl === undefined ? nearest(project.data) : 'in the Postgres that was named',
      notes: [
        ...(ports[0] === 0 || port.port === ports[0] ? [] : [`Port ${ports[0]} is in use; this is the next free one.`]),
        ...exposureNotes(host),
        ...passkeyNotes(config, host, port.port),
        ...warnings,
        ...backend.warnings,
      ],
    }))
  } catch (error) {
    await stop()
    throw error
  }
  await untilStopped(stop)
}

/** Starts the box over a project folder and keeps it running until it is stopped. */
export async function runBox(command: BoxCommand): Promise<void> {
  const project = findProjectFolder(command.project)
  const { config, keys, warnings } = readConfig(readProjectSources(project, process.env))
  if (command.reset && config.server.databaseUrl !== undefined) {
    throw new CommandError('--reset empties the built-in database only, and PORTICO_DATABASE_URL names another; that one is yours to empty.')
  }
  const own = readAppSettings(command.settings ?? settingsFileOf(project.root), command.settings === undefined)
  const settings = withKnownDoor(own, config.auth)
  if (command.reset) await forget(project, command.yes)
  await openDataFolder(project.data)
  const log = openLogFile(project.data)
  try {
    await serve({ command, project, config, name: titleOf(config, project), settings, log }, keys, warnings)
  } finally {
    log.close()
  }
}
