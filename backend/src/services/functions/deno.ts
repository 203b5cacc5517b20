import { accessSync, constants } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** Where Deno is, or a sentence that says why it is not and what to do. */
export type DenoPlace = { path: string } | { missing: string }

const supported = new Set(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'])

function isMusl(): boolean {
  const report = process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined
  return process.platform === 'linux' && report?.header?.glibcVersionRuntime === undefined
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const own = 'set PORTICO_DENO to a Deno program of your own'

/**
 * Finds the Deno that runs the functions: the one that was named, else the one npm installed beside the box.
 *
 * @param named an absolute path; undefined means npm's.
 */
export function findDeno(named: string | undefined): DenoPlace {
  if (named !== undefined && named !== '') return isProgram(named) ? { path: named } : { missing: 'PORTICO_DENO names no program that can be run.' }
  const { platform, arch } = process
  if (!supported.has(`${platform}-${arch}`) || isMusl()) return { missing: `Functions need Deno, and npm has none for this machine (${platform}, ${arch}): ${own}.` }
  try {
    const fromDeno = createRequire(createRequire(import.meta.url).resolve('deno/package.json'))
    const folder = dirname(fromDeno.resolve(`@deno/${platform}-${arch}${platform === 'linux' ? '-glibc' : ''}/package.json`))
    const path = join(folder, platform === 'win32' ? 'deno.exe' : 'deno')
    if (isProgram(path)) return { path }
  } catch {
    // Not installed: said below.
  }
  return { missing: `Functions need Deno, which is not installed here: run "npm ci" without leaving optional packages out, or ${own}.` }
}
