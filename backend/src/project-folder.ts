import { existsSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { ConfigSources, Environment } from './config.ts'
import { dotenvNames } from './config/environment.ts'

/** A folder in the Supabase CLI's layout. */
export interface ProjectFolder {
  /** Absolute: what holds the `supabase` folder. */
  root: string
  /** Absolute: what holds `config.toml`, `migrations/`, `seed.sql`, `functions/`. */
  supabase: string
  /** Absolute: where the box keeps what it must not lose. */
  data: string
}

/** The folder given is not a project. Says what was looked for. */
export class ProjectFolderError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'ProjectFolderError'
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const folderAt = (root: string, supabase: string): ProjectFolder => ({ root, supabase, data: join(root, '.portico') })

/**
 * Finds the project at a path: the folder that holds `supabase/`, or the `supabase` folder itself.
 *
 * @throws ProjectFolderError when it is neither.
 */
export function findProjectFolder(path: string): ProjectFolder {
  const given = resolve(path)
  if (!isFolder(given)) throw new ProjectFolderError(`${given} is not a folder.`)
  if (isFolder(join(given, 'supabase'))) return folderAt(given, join(given, 'supabase'))
  const isOne = basename(given) === 'supabase' || existsSync(join(given, 'config.toml')) || isFolder(join(given, 'migrations'))
  if (isOne) return folderAt(dirname(given), given)
  throw new ProjectFolderError(`${given} has no folder "supabase" in it, and is none itself (no config.toml, no migrations).`)
}

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined
    throw new ProjectFolderError(`${path} cannot be read (${code}).`, { cause })
  }
}

/** Reads what `readConfig` needs from the folder: `config.toml`, `.env` files of the project and of its `supabase` folder. */
export function readProjectSources(folder: ProjectFolder, env: Environment): ConfigSources {
  const places = [folder.supabase, folder.root]
  const names = dotenvNames(env.SUPABASE_ENV)
  const dotenv = places.flatMap((place) => names.map((name) => readIfThere(join(place, name)))).filter((text) => text !== undefined)
  const configToml = readIfThere(join(folder.supabase, 'config.toml'))
  return {
    env,
    dotenv,
    ...(configToml === undefined ? {} : { configToml }),
    // The CLI reads some of these paths from the project, others from the supabase folder.
    readText: (path) => readIfThere(resolve(folder.root, path)) ?? readIfThere(resolve(folder.supabase, path)),
  }
}
