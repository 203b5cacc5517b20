import { readdirSync, realpathSync, statSync, type Dirent } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

// Whoever keeps more than this among their functions is believed for the rest.
const mostEntries = 50_000

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(folder + sep)

function readFolder(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function resolve(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    // It leads nowhere.
    return undefined
  }
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

/**
 * Finds a symbolic link below a folder that leads out of the project, or to where the box keeps its keys. Deno follows links without
 * asking whether their end may be read, so one would let a function read what it must not.
 *
 * @returns the link's path; undefined when there is none.
 */
export function findEscape(folder: string, root: string, dataFolder: string | undefined): string | undefined {
  const project = resolve(root) ?? root
  const kept = dataFolder === undefined ? undefined : (resolve(dataFolder) ?? dataFolder)
  const mayBeRead = (path: string): boolean => isWithin(path, project) && path !== project && (kept === undefined || !(isWithin(path, kept) || isWithin(kept, path)))
  const seen = new Set<string>()
  const waiting = [resolve(folder) ?? folder]
  let entries = 0
  for (let current = waiting.pop(); current !== undefined && entries < mostEntries; current = waiting.pop()) {
    if (seen.has(current)) continue
    seen.add(current)
    for (const entry of readFolder(current)) {
      entries += 1
      const path = join(current, entry.name)
      const target = entry.isSymbolicLink() ? resolve(path) : path
      if (target === undefined) continue
      if (entry.isSymbolicLink() && !mayBeRead(target)) return path
      if (entry.isDirectory() || (entry.isSymbolicLink() && isFolder(target))) waiting.push(target)
    }
  }
  return undefined
}

/** Tells a path in the words of the project: `supabase/functions/hello/link`. */
export const inProject = (path: string, supabaseFolder: string): string => {
  const root = resolve(dirname(supabaseFolder)) ?? dirname(supabaseFolder)
  return isWithin(path, root) ? path.slice(root.length + 1).split(sep).join('/') : basename(path)
}
