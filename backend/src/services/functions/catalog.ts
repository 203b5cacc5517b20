import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync, type Dirent, type Stats } from 'node:fs'
import { dirname, isAbsolute, join, resolve, sep } from 'node:path'
import type { FunctionSettings, FunctionsSettings } from './settings.ts'

/** A function of the project, ready to be started. Paths are absolute. */
export interface EdgeFunction {
  /** `office-hours` */
  name: string
  verifyJwt: boolean
  entrypoint: string
  /** `deno.json`, `deno.jsonc` or an import map. */
  importMap?: string
  /** `deno.lock` beside the import map or the entrypoint: versions and checksums of what is imported. */
  lockFile?: string
  /** A `package.json` beside the entrypoint decides, there being no import map. */
  usesPackageJson: boolean
  /** Folders outside `functions/` that hold static files of the function. */
  staticFolders: readonly string[]
  env: Readonly<Record<string, string>>
}

const namePattern = /^[A-Za-z][A-Za-z0-9_-]*$/
const plain: FunctionSettings = { enabled: true, verifyJwt: true, importMap: '', entrypoint: '', staticFiles: [], env: {} }

function findStat(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

const isFile = (path: string): boolean => findStat(path)?.isFile() ?? false

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

export const functionsFolder = (supabaseFolder: string): string => join(supabaseFolder, 'functions')

const sectionOf = (settings: FunctionsSettings, name: string): FunctionSettings | undefined =>
  Object.hasOwn(settings.functions, name) ? settings.functions[name] : undefined

const entrypointOf = (supabaseFolder: string, name: string, section: FunctionSettings | undefined): string =>
  section === undefined || section.entrypoint === '' ? join(functionsFolder(supabaseFolder), name, 'index.ts') : resolve(supabaseFolder, section.entrypoint)

// The order of the CLI: what config.toml names, the function's own files, the one map for all.
function importMapOf(supabaseFolder: string, section: FunctionSettings, entrypoint: string): string | undefined {
  if (section.importMap !== '') return resolve(supabaseFolder, section.importMap)
  const own = dirname(entrypoint)
  const candidates = [...['deno.json', 'deno.jsonc', 'import_map.json'].map((name) => join(own, name)), join(functionsFolder(supabaseFolder), 'import_map.json')]
  return candidates.find(isFile)
}

// `./emails/*.html` is read in `./emails`; what lies in the functions' folder may be read anyway, and nothing outside of the project.
function staticFoldersOf(supabaseFolder: string, patterns: readonly string[]): string[] {
  const inside = functionsFolder(supabaseFolder)
  const folders = patterns.map((pattern) => {
    const steps = pattern.split(/[\\/]/)
    const wild = steps.findIndex((step) => /[*?[{]/.test(step))
    const fixed = (wild < 0 ? steps : steps.slice(0, wild)).join(sep)
    return isAbsolute(pattern) ? resolve(sep, fixed) : resolve(supabaseFolder, fixed)
  })
  const project = dirname(supabaseFolder)
  const isOwn = (folder: string): boolean => folder.startsWith(project + sep) && !folder.slice(project.length + 1).split(sep)[0]?.startsWith('.')
  return [...new Set(folders)].filter((folder) => folder !== inside && !folder.startsWith(inside + sep) && isOwn(folder) && existsSync(folder))
}

/**
 * Finds a function by its name: a folder with an `index.ts`, or a section of `config.toml`. Undefined when there is none or it is
 * switched off. Its files need not be there: a function that is configured and has no entrypoint fails to start.
 *
 * @see supabase/cli internal/functions/deploy/deploy.go, `GetFunctionConfig`
 */
export function findFunction(settings: FunctionsSettings, name: string): EdgeFunction | undefined {
  const { supabaseFolder } = settings
  if (supabaseFolder === undefined || !namePattern.test(name)) return undefined
  const section = sectionOf(settings, name)
  const entrypoint = entrypointOf(supabaseFolder, name, section)
  if (section?.enabled === false || (section === undefined && !isFile(entrypoint))) return undefined
  const { verifyJwt, staticFiles, env, ...rest } = section ?? plain
  const importMap = importMapOf(supabaseFolder, { verifyJwt, staticFiles, env, ...rest }, entrypoint)
  const lockFile = join(dirname(importMap ?? entrypoint), 'deno.lock')
  return {
    name,
    verifyJwt,
    entrypoint,
    ...(importMap === undefined ? {} : { importMap }),
    ...(isFile(lockFile) ? { lockFile } : {}),
    usesPackageJson: importMap === undefined && isFile(join(dirname(entrypoint), 'package.json')),
    staticFolders: staticFoldersOf(supabaseFolder, staticFiles),
    env,
  }
}

// Asking the disk for each call would cost as much as the rest of the call.
const rememberedMs = 100

/** Makes a `findFunction` that remembers what it found for a tenth of a second. */
export function createFinder(settings: FunctionsSettings): (name: string) => EdgeFunction | undefined {
  const remembered = new Map<string, { edgeFunction: EdgeFunction; foundAt: number }>()
  return (name) => {
    const known = remembered.get(name)
    if (known && performance.now() - known.foundAt < rememberedMs) return known.edgeFunction
    const edgeFunction = findFunction(settings, name)
    // Names that are none are not kept: anybody can make up any number of them.
    if (edgeFunction) remembered.set(name, { edgeFunction, foundAt: performance.now() })
    else remembered.delete(name)
    return edgeFunction
  }
}

/** Lists the names of the functions that can be called, in order. Asks the disk, so that a new one is found at once. */
export function listFunctionNames(settings: FunctionsSettings): readonly string[] {
  const { supabaseFolder } = settings
  if (supabaseFolder === undefined) return []
  const folders = readFolder(functionsFolder(supabaseFolder)).filter((entry) => !entry.isFile()).map(({ name }) => name)
  const names = new Set([...folders, ...Object.keys(settings.functions)])
  return [...names].filter((name) => isFile(findFunction(settings, name)?.entrypoint ?? '')).toSorted()
}

// Whoever keeps more files than this there restarts the box to see a change.
const watchedFiles = 5000

function listFiles(folder: string, left: { files: number }): string[] {
  return readFolder(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.name === 'node_modules' || entry.name === '.git' || left.files <= 0) return []
    if (entry.isDirectory()) return listFiles(path, left)
    left.files -= 1
    return [path]
  })
}

function stampOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) {
    const stat = findStat(path)
    hash.update(`${path}\0${stat?.mtimeMs}\0${stat?.size}\0`)
  }
  return hash.digest('base64url')
}

/**
 * Makes the function that tells in which state the files of a function are: those of its folder and whatever lies in `functions/`
 * and belongs to no other function (`_shared/`, `.env`, an import map). Two equal stamps: nothing has changed.
 */
export function createStamps(settings: FunctionsSettings): (edgeFunction: EdgeFunction) => string {
  return ({ name, entrypoint, importMap, staticFolders }) => {
    const folder = functionsFolder(settings.supabaseFolder ?? '')
    const left = { files: watchedFiles }
    const others = new Set(readFolder(folder).map((entry) => entry.name).filter((other) => other !== name && isFile(join(folder, other, 'index.ts'))))
    const files = listFiles(folder, left).filter((path) => !others.has(path.slice(folder.length + 1).split(sep)[0] ?? ''))
    const outside = staticFolders.flatMap((path) => listFiles(path, left))
    return stampOf([...files, ...outside, entrypoint, ...(importMap === undefined ? [] : [importMap])])
  }
}
