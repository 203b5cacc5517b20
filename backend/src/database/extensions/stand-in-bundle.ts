import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { packTar } from '#database/data-folder/tar.ts'
import { controlFile, standIns } from './stand-ins.ts'

const extensionFolder = 'share/postgresql/extension'

function pack(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'portico-extensions-'))
  try {
    mkdirSync(join(folder, extensionFolder), { recursive: true })
    for (const standIn of standIns) {
      writeFileSync(join(folder, extensionFolder, `${standIn.name}.control`), controlFile(standIn))
      writeFileSync(join(folder, extensionFolder, `${standIn.name}--${standIn.version}.sql`), standIn.script)
    }
    return gzipSync(packTar(folder, new Set()))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

let ownFolder: string | undefined

// Never a name another user of the machine could have put something under: what the bundle holds runs with all rights.
function makeOwnFolder(): string {
  if (ownFolder === undefined) {
    const made = mkdtempSync(join(tmpdir(), 'portico-extensions-'))
    process.once('exit', () => rmSync(made, { recursive: true, force: true }))
    ownFolder = made
  }
  return ownFolder
}

function bundleName(): string {
  const content = createHash('sha256')
  for (const standIn of standIns) content.update(controlFile(standIn)).update(standIn.script)
  return `extensions-${content.digest('hex').slice(0, 16)}.tar.gz`
}

/** Removes the bundles that other versions left in a folder. For who holds the folder's lock. */
export function removeOldBundles(folder: string): void {
  const current = bundleName()
  for (const name of readdirSync(folder)) {
    if (/^extensions-[0-9a-f]{16}\.tar\.gz/.test(name) && name !== current) rmSync(join(folder, name), { force: true })
  }
}

/**
 * Writes all stand-ins as one bundle for the embedded engine, a tar.gz of control and script files, and gives its place.
 * Default folder: a temporary one of this process. A folder given must be writable by nobody else.
 */
export function standInBundle(folder: string = makeOwnFolder()): URL {
  const path = join(folder, bundleName())
  if (!existsSync(path)) {
    const unfinished = `${path}.${process.pid}`
    writeFileSync(unfinished, pack(), { mode: 0o600 })
    renameSync(unfinished, path)
  }
  return pathToFileURL(path)
}
