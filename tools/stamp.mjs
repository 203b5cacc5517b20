// One hash over everything the build reads, to know whether dist/ is of these sources.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const stampFile = join(root, 'dist/stamp.txt')
const glanceFile = join(root, 'dist/glance.txt')
const folders = ['app/src', 'app/public', 'backend/src', 'cli/src']
const files = ['package-lock.json', 'app/package.json', 'app/index.html', 'app/vite.config.ts', 'backend/package.json', 'cli/package.json', 'tools/build.mjs']
const isSource = (name) => !/\.test\.tsx?$|\.md$/.test(name)

function* walk(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) yield* walk(path)
    else if (isSource(entry.name)) yield path
  }
}

const optional = (read) => {
  try {
    return read()
  } catch (error) {
    if (error.code === 'ENOENT') return undefined
    throw error
  }
}

const sourcePaths = () => [...files, ...folders.flatMap((folder) => optional(() => [...walk(folder)]) ?? [])]

// Sizes and times instead of contents: a few milliseconds. What was installed and what was built are in it too.
function glance() {
  const hash = createHash('sha256').update(process.versions.node)
  for (const path of [...sourcePaths(), 'node_modules/.package-lock.json', 'dist/stamp.txt']) {
    const stat = statSync(join(root, path), { throwIfNoEntry: false })
    hash.update(`\0${path}\0${stat?.size}\0${stat?.mtimeMs}\0${stat?.ctimeMs}`)
  }
  return hash.digest('hex')
}

/** Whether nothing was touched since everything was last seen to be installed and built. */
export const isUntouched = () => optional(() => readFileSync(glanceFile, 'utf8')) === glance()

/** Notes that everything is installed and built as things are now. */
export const noteUntouched = () => writeFileSync(glanceFile, glance())

/** The stamp of the sources as they are now. */
export function stampOfSources() {
  const hash = createHash('sha256').update(process.versions.modules)
  for (const path of sourcePaths()) {
    const content = optional(() => readFileSync(join(root, path)))
    if (content) hash.update(`\0${path}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

export const isBuilt = () => optional(() => readFileSync(stampFile, 'utf8')) === stampOfSources()
export const writeStamp = (stamp) => writeFileSync(stampFile, stamp)
