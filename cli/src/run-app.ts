import { createGateway, createJsonLogger, openPort, systemClock } from '@portico/backend'
import { exposureNotes, originOf, portError, portsToTry } from './addresses.ts'
import { appFolder } from './app-folder.ts'
import { brandFolderOf, readAppSettings } from './app-settings.ts'
import { renderBanner } from './banner.ts'
import type { Command } from './options.ts'
import { createAppServer } from './serve-app.ts'
import { untilStopped } from './until-stopped.ts'

type AppCommand = Extract<Command, { kind: 'app' }>

// The project's reference in a hosted address; elsewhere the whole host says which one it is.
const nameOf = (url: string): string => {
  const { host } = new URL(url)
  return /^([a-z0-9]+)\.supabase\.(co|in|red)$/.exec(host)?.[1] ?? host
}

/** Serves the app alone, pointed at a project that runs elsewhere. */
export async function runApp({ url, key, port, host = '127.0.0.1', settings: file, verbose }: AppCommand): Promise<void> {
  const settings = readAppSettings(file)
  const project = { name: nameOf(url), url, key }
  const app = createAppServer({ folder: appFolder, brandFolder: file === undefined ? undefined : brandFolderOf(file), config: () => ({ ...settings, projects: [project] }) })
  const ports = portsToTry(port)
  const opened = await openPort({ host, ports }).catch((error: unknown) => {
    throw portError(error, host, ports)
  })
  const log = createJsonLogger({ clock: systemClock, level: verbose ? 'info' : 'warn', write: (line) => void process.stderr.write(`${line}\n`) })
  opened.serve(createGateway({ clock: systemClock, boundHost: host, log, fallback: app, checkHealth: async () => undefined }))
  console.log(renderBanner({ name: `the app for ${url}`, appUrl: originOf(host, opened.port), notes: exposureNotes(host) }))
  await untilStopped(() => opened.close())
}
