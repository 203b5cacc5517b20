// Bundles a TypeScript module of the database layer, so that a benchmark can run it as it ships.
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const root = join(import.meta.dirname, '..')
export const sources = join(root, 'backend/src/database')

/** A scratch folder from which Node finds the repository's packages. */
export const scratch = (name) => join(root, 'node_modules/.cache/portico', name)

export async function importBundled(entry, folder) {
  mkdirSync(folder, { recursive: true })
  const outfile = join(folder, `${entry.replaceAll('/', '-').replace(/\.ts$/, '')}.mjs`)
  await build({ entryPoints: [join(sources, entry)], outfile, bundle: true, platform: 'node', format: 'esm', packages: 'external', logLevel: 'error' })
  copyFileSync(join(sources, 'pglite/pglite-worker.mjs'), join(folder, 'pglite-worker.mjs'))
  return import(pathToFileURL(outfile))
}
