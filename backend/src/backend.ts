import { join } from 'node:path'
import { systemClock, type Clock } from '#contract/clock.ts'
import type { ProjectKeys } from '#contract/keys.ts'
import { silentLogger, type Logger } from '#contract/logger.ts'
import type { Database } from '#database/database.ts'
import { lockDataFolder } from '#database/data-folder/lock.ts'
import { extensionBundles, warningsOf } from '#database/extensions/catalog.ts'
import { startExtensionWorkers } from '#database/extensions/extension-workers.ts'
import { extensionsNamedBy } from '#database/extensions/named-extensions.ts'
import { removeOldBundles } from '#database/extensions/stand-in-bundle.ts'
import { openDatabase } from '#database/open.ts'
import { loadProject, type LoadOptions } from '#database/project/load-project.ts'
import { isPrepared, notePrepared, stampOf } from '#database/project/prepared.ts'
import type { ProjectOptions } from '#database/project/project-files.ts'
import { bootstrap } from '#database/schema/bootstrap.ts'
import { sql } from '#database/sql.ts'
import { createGateway, type Gateway, type GatewayOptions } from '#gateway/gateway.ts'
import type { Mount } from '#gateway/mount.ts'
import { createAuthService } from '#services/auth/service.ts'
import type { AuthSettings } from '#services/auth/settings.ts'
import type { FunctionsService } from '#services/functions/service.ts'
import { createRealtimeService } from '#services/realtime/service.ts'
import { createChangeFeed } from '#services/realtime/changes/changes.ts'
import type { RealtimeSettings } from '#services/realtime/settings.ts'
import { createRestService } from '#services/rest/service.ts'
import { absentServices } from './absent.ts'
import { readConfig, type Config } from './config.ts'
import { openDataFolder } from './data-folder.ts'
import { openEdgeFunctions } from './edge-functions.ts'
import { openFileStorage, type FileStorage } from './file-storage.ts'
import { createIssuerCheck } from './issuer.ts'
import { loadKeys } from './keys/key-file.ts'
import { makeStoredKeys, resolveKeys, type GivenKeys } from './keys/keys.ts'
import { localIdentityWarnings, mayOpenLocalIdentity, openLocalIdentity, type LocalIdentityOptions } from './local-identity.ts'
import { openPost, type Post } from './post.ts'
import type { ProjectFolder } from './project-folder.ts'
import { createRoleCheck } from './roles.ts'
import { s3AccessOf, s3EndpointOf, type S3Endpoint } from './s3-access.ts'
import { authSettings, exposureWarnings, phoneOptions, realtimeSettings, restSettings } from './service-settings.ts'

export interface BackendOptions {
  /** Default: what a project without `config.toml` gets. */
  config?: Config
  /** Keys given from outside; the others are made once a data folder. */
  keys?: GivenKeys
  /** The project whose migrations and seeds run; left out, there is none. */
  project?: ProjectFolder
  /** Where keys, rows, files and mails are kept. Left out: in memory, and gone at `close`. */
  dataFolder?: string
  /** A Postgres instead of the built-in engine. */
  databaseUrl?: string
  /** The database a first start begins with, made by `buildTemplate`. */
  template?: string
  /** Where clients reach the box. Default `http://127.0.0.1:54321`. */
  origin?: string
  /** Answers what is not the API's: the app. */
  app?: GatewayOptions['fallback']
  /** The address the box listens on. Default `127.0.0.1`. */
  boundHost?: string
  /** The local identity provider's own port, where the project has providers that it answers for. */
  localIdentity?: LocalIdentityOptions
  /** What Realtime is not to do as configured. */
  realtime?: Partial<RealtimeSettings>
  clock?: Clock
  log?: Logger
}

/** A running backend. */
export interface Backend {
  keys: ProjectKeys
  /** Where clients reach it. */
  origin: string
  /** A sentence each, for the person who started it. */
  warnings: readonly string[]
  /** Names of the migrations that ran this time. */
  applied: readonly string[]
  /** Names of the project's functions that can be called now, in order. */
  listFunctions(): readonly string[]
  gateway: Gateway
  /** How the S3 protocol is reached and signed for. Left out while it is switched off. */
  s3?: S3Endpoint
  /** The local mailbox's own page and API, for a loopback port of its own. Left out while a mail server takes the mail. */
  mailbox?: { fetch(request: Request): Promise<Response> }
  /** The local phone's page and API, below `/phone` of the same port. Left out while phones are off or a provider takes the texts. */
  phone?: { fetch(request: Request): Promise<Response> }
  /** The local identity provider, for the port that was named for it. Left out unless the project asks for it and the box is this machine's alone. */
  localIdentity?: { fetch(request: Request): Promise<Response> }
  /** Answers one request, without a port. */
  fetch(request: Request): Promise<Response>
  close(): Promise<void>
}

const megabyte = 1024 * 1024

async function findKeys(options: BackendOptions, clock: Clock): Promise<ProjectKeys> {
  const { dataFolder, keys } = options
  const stored = dataFolder === undefined ? makeStoredKeys(clock.now()) : await loadKeys(join(dataFolder, 'keys.json'), clock.now())
  return resolveKeys(stored, keys)
}

const filesOf = (project: ProjectFolder, { db }: Config): ProjectOptions => ({
  folder: project.supabase,
  migrationsEnabled: db.migrations.enabled,
  seedEnabled: db.seed.enabled,
  seedPaths: db.seed.sqlPaths,
})

interface Opened {
  database: Database
  /** Lets go of the data folder, where the engine does not hold it itself. */
  release?: () => void
  /** Sentences about what the engine lacks of what the project names. */
  warnings: readonly string[]
}

// Rows live elsewhere, but keys, mails and the note of what runs are this folder's, and one process' alone.
async function openByUrl(url: string, dataFolder: string | undefined, log: Logger): Promise<Opened> {
  const lock = dataFolder === undefined ? undefined : await lockDataFolder(dataFolder, join(dataFolder, 'lock'))
  try {
    const database = await openDatabase({ engine: 'postgres', url, log })
    return { database, warnings: [], ...(lock === undefined ? {} : { release: () => lock.release() }) }
  } catch (error) {
    lock?.release()
    throw error
  }
}

async function open({ databaseUrl, dataFolder, template, project }: BackendOptions, config: Config, log: Logger): Promise<Opened> {
  if (databaseUrl !== undefined) return openByUrl(databaseUrl, dataFolder, log)
  const extensions = project === undefined ? [] : extensionsNamedBy(filesOf(project, config))
  const database = await openDatabase({
    engine: 'pglite',
    log,
    durability: config.server.durable ? 'fsync' : 'os',
    extensions: extensionBundles(extensions, dataFolder === undefined ? {} : { bundleFolder: dataFolder }),
    ...(dataFolder === undefined ? {} : { dataDir: join(dataFolder, 'data'), lockDir: join(dataFolder, 'lock') }),
    ...(template === undefined ? {} : { template }),
  })
  if (dataFolder !== undefined) removeOldBundles(dataFolder)
  return { database, warnings: warningsOf(extensions) }
}

const loadOptionsOf = (project: ProjectFolder, config: Config): LoadOptions => ({
  ...filesOf(project, config),
  exposeNewTables: config.api.autoExposeNewTables,
  apiSchemas: config.api.schemas,
  buckets: Object.entries(config.storage.buckets).map(([id, bucket]) => ({
    id,
    public: bucket.public,
    fileSizeLimitBytes: bucket.fileSizeLimitBytes,
    allowedMimeTypes: bucket.allowedMimeTypes.length > 0 ? bucket.allowedMimeTypes : null,
  })),
})

async function prepare(database: Database, { project }: BackendOptions, config: Config): Promise<Pick<Backend, 'applied' | 'warnings'>> {
  if (project === undefined) {
    await bootstrap(database)
    return { applied: [], warnings: [] }
  }
  const options = loadOptionsOf(project, config)
  const stamp = stampOf(options)
  if (await isPrepared(database, stamp)) return { applied: [], warnings: [] }
  await bootstrap(database)
  const { applied, warnings } = await loadProject(database, options)
  // What is warned of is warned of again at each start.
  if (warnings.length === 0) await notePrepared(database, stamp)
  return { applied, warnings }
}

interface Parts {
  options: BackendOptions
  origin: string
  config: Config
  keys: ProjectKeys
  database: Database
  clock: Clock
  log: Logger
  settings: AuthSettings
}

interface Services {
  post: Post
  functions: FunctionsService | undefined
  /** A sentence each, for the person who started the box. */
  warnings: readonly string[]
  mounts: readonly Mount[]
  close(): Promise<void>
}

// Links in mails, returns from other sites, and applications that ask for a person's consent come without a key.
const isOpenToAll = (path: string): boolean =>
  /^\/(verify|callback|authorize)$|^\/(\.well-known|sso)\/|^\/oauth\/(authorize|token|userinfo|clients\/register)$/.test(path)

async function startServices({ options, origin, config, keys, database, clock, log, settings }: Parts): Promise<Services> {
  const post = await openPost({ email: settings.email, ...phoneOptions(config), dataFolder: options.dataFolder, clock })
  const auth = createAuthService({ database, logger: log, clock, keys, settings, mailer: post.mailer, texts: post.texts })
  const rest = createRestService({ database, logger: log, clock, settings: restSettings(config) })
  const realtime = createRealtimeService({
    database,
    logger: log,
    clock,
    settings: { ...realtimeSettings(config), ...options.realtime },
    changes: createChangeFeed({ database, log }),
    relaySecret: keys.jwtSecret,
  })
  if (config.api.enabled) await rest.start()
  const { dataFolder, databaseUrl, project } = options
  const s3 = s3AccessOf(keys, options.keys, config)
  const storage: FileStorage | undefined = config.storage.enabled ? await openFileStorage({ database, logger: log, clock, keys, config, dataFolder, project, s3, storeKeys: options.keys?.fileStore }) : undefined
  const functions = openEdgeFunctions({ config, keys, clock, log, origin, project, dataFolder, databaseUrl })
  const mounts: readonly Mount[] = [
    ...(config.auth.enabled ? [{ prefix: '/auth/v1', service: auth, needsKey: (path: string) => !isOpenToAll(path), maxBodyBytes: megabyte }] : []),
    ...(config.api.enabled ? [{ prefix: '/rest/v1', service: rest, needsKey: () => true, maxBodyBytes: 64 * megabyte, maxPublicBodyBytes: 10 * megabyte }] : []),
    ...(config.realtime.enabled ? [{ prefix: '/realtime/v1', service: realtime, needsKey: () => false, takesTokenAsKey: true, maxBodyBytes: 8 * megabyte }] : []),
    // Uploads are streams with limits of their own, and links carry their own right.
    ...(storage ? [{ prefix: '/storage/v1', service: storage.service, needsKey: () => false, maxBodyBytes: Number.POSITIVE_INFINITY }] : []),
    ...(functions ? [{ prefix: '/functions/v1', service: functions, needsKey: () => false, takesUnknownKeys: true, maxBodyBytes: 1024 * megabyte, maxPublicBodyBytes: 64 * megabyte }] : []),
  ]
  return {
    post,
    functions,
    warnings: [...post.warnings, ...(storage?.warnings ?? []), ...(functions?.warnings ?? [])],
    mounts: [...mounts, ...absentServices(mounts.map(({ prefix }) => prefix)).map((absent) => ({ ...absent, needsKey: () => false, maxBodyBytes: megabyte }))],
    close: async () => {
      post.close()
      await functions?.close()
      await realtime.close()
      await storage?.close()
      await rest.close()
    },
  }
}

async function createDoor({ options, config, keys, database, clock, log, settings }: Parts, mounts: readonly Mount[]): Promise<Gateway> {
  const { issuer, externalUrl } = settings
  const { allowedHosts, trustedProxies, publicUrl } = config.server
  return createGateway({
    clock,
    log,
    api: {
      keys,
      mounts,
      isIssuer: createIssuerCheck(issuer ?? externalUrl),
      allowsRole: await createRoleCheck(database, clock),
    },
    checkHealth: async () => {
      await database.asAdmin('postgres', (tx) => tx.execute(sql`select 1`), { timeoutMs: 5000 })
    },
    allowedHosts: publicUrl === undefined ? allowedHosts : [...allowedHosts, new URL(publicUrl).hostname],
    trustedProxies,
    ...(options.app === undefined ? {} : { fallback: options.app }),
    ...(options.boundHost === undefined ? {} : { boundHost: options.boundHost }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
  })
}

/**
 * Builds a whole backend: keys, database, the project's migrations and seeds, services, gateway.
 *
 * @throws KeyFileError, DataFolderBusy, ProjectUnreadable, MigrationFailed, DatabaseError; whatever was opened is closed again.
 */
export async function createBackend(options: BackendOptions = {}): Promise<Backend> {
  const { clock = systemClock, log = silentLogger, config = readConfig({ env: {} }).config } = options
  const origin = config.server.publicUrl ?? options.origin ?? 'http://127.0.0.1:54321'
  if (options.dataFolder !== undefined) await openDataFolder(options.dataFolder)
  const keys = await findKeys(options, clock)
  const opened = await open(options, config, log)
  const { database } = opened
  const ends: (() => Promise<void>)[] = [async () => opened.release?.(), () => database.close()]
  const close = async () => {
    for (const end of ends.toReversed()) await end()
  }
  try {
    const { applied, warnings } = await prepare(database, options, config)
    const place = { origin, boundHost: options.boundHost ?? '127.0.0.1' }
    const named = mayOpenLocalIdentity(config, place) ? options.localIdentity : undefined
    const settings = authSettings(config, { ...place, ...(named === undefined ? {} : { localIssuer: named.origin }) })
    const localIdentity = named === undefined ? undefined : await openLocalIdentity(named, { settings, dataFolder: options.dataFolder })
    const parts = { options, origin, config, keys, database, clock, log, settings }
    const workers = await startExtensionWorkers(database, { clock, log, ownOrigin: origin })
    ends.push(() => workers.stop())
    const services = await startServices(parts)
    ends.push(() => services.close())
    const { local } = services.post
    const gateway = await createDoor(parts, services.mounts)
    return {
      keys,
      origin,
      warnings: [...opened.warnings, ...warnings, ...services.warnings, ...localIdentityWarnings(config, localIdentity !== undefined), ...exposureWarnings(config, place)],
      applied,
      listFunctions: () => services.functions?.listNames() ?? [],
      gateway,
      ...s3EndpointOf({ keys, given: options.keys, config, origin }),
      ...(local?.hasMail === true ? { mailbox: local } : {}),
      ...(local?.hasTexts === true ? { phone: local } : {}),
      ...(localIdentity === undefined ? {} : { localIdentity }),
      fetch: (request) => gateway.fetch(request),
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
