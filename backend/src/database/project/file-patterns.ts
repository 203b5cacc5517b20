import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const isPattern = (segment: string): boolean => /[*?[{]/.test(segment)

// `*` and `?` stay within one folder; `[a-z]` and `{a,b}` as shells have them.
function toRegExp(segment: string): RegExp {
  const source = segment.replace(/[\\^$+.()|]|\*|\?|\{[^}]*\}/g, (found) => {
    if (found === '*') return '[^/]*'
    if (found === '?') return '[^/]'
    if (found.startsWith('{')) return `(?:${found.slice(1, -1).split(',').map((each) => toRegExp(each).source.slice(1, -1)).join('|')})`
    return `\\${found}`
  })
  return new RegExp(`^${source}$`)
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
const names = (folder: string): string[] => readdirSync(folder).filter((name) => !name.startsWith('.')).sort()

function foldersBelow(folder: string): string[] {
  if (!isFolder(folder)) return []
  return [folder, ...names(folder).flatMap((name) => foldersBelow(join(folder, name)))]
}

function matchesOf(folder: string, [segment, ...rest]: readonly string[]): string[] {
  if (segment === undefined) return [folder]
  if (segment === '**') return foldersBelow(folder).flatMap((below) => matchesOf(below, rest))
  if (!isPattern(segment)) return matchesOf(join(folder, segment), rest)
  if (!isFolder(folder)) return []
  const pattern = toRegExp(segment)
  return names(folder).filter((name) => pattern.test(name)).flatMap((name) => matchesOf(join(folder, name), rest))
}

/** The files a pattern names below a folder, sorted; none when nothing is there. Folders of any depth are written as two stars. */
export function filesMatching(folder: string, pattern: string): string[] {
  const segments = pattern.replaceAll('\\', '/').split('/').filter((segment) => segment !== '' && segment !== '.')
  const start = pattern.startsWith('/') ? '/' : folder
  return [...new Set(matchesOf(start, segments))].filter((path) => existsSync(path) && !isFolder(path)).sort()
}
