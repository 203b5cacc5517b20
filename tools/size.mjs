// Holds the pages to their size: JavaScript as built and sent (gzip), and how many files of it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const dist = join(import.meta.dirname, '../app/dist')
// What each page asks for by itself: the page's own module, its frame, its words. Chunks these import are found below.
const limits = [
  { page: 'sign-in', modules: ['index.html', 'src/messages/en/index.ts', 'src/routes/sign-in.tsx'], kB: 180, requests: 8 },
  {
    page: 'table',
    modules: [
      'index.html',
      'src/read-door.ts',
      'src/messages/en/index.ts',
      'src/messages/en/inside.ts',
      'src/messages/en/refusals.ts',
      'src/routes/queries.tsx',
      'src/routes/shell/shell.tsx',
      'src/routes/data.tsx',
      'src/features/data/filter/filter-bar.tsx',
      'src/features/data/grid/column-chooser.tsx',
    ],
    kB: 300,
    requests: 40,
  },
]

const manifestFile = join(dist, '.vite/manifest.json')
if (!existsSync(manifestFile)) {
  console.error('app/dist has no manifest: build the app first, with build.manifest on.')
  process.exit(1)
}
const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))

// Scripts that the page itself names and the bundler does not know.
const scriptsOfPage = [...readFileSync(join(dist, 'index.html'), 'utf8').matchAll(/<script[^>]+src="\/([^"]+)"/g)].map((match) => match[1])

/** The chunks a module needs before it runs: itself and, again and again, what it imports. */
function closure(key, seen = new Set()) {
  const chunk = manifest[key]
  if (!chunk || seen.has(key)) return seen
  seen.add(key)
  for (const next of chunk.imports ?? []) closure(next, seen)
  return seen
}

function measure({ page, modules, kB, requests }) {
  const missing = modules.filter((module) => !manifest[module])
  if (missing.length > 0) return { page, fault: `not in the build: ${missing.join(', ')}` }
  const seen = new Set()
  for (const module of modules) closure(module, seen)
  const files = [...new Set([...scriptsOfPage, ...[...seen].map((key) => manifest[key].file)])].filter((file) => file.endsWith('.js'))
  const bytes = files.reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0)
  const isOver = bytes > kB * 1000 || files.length > requests
  return { page, line: `${page}: ${(bytes / 1000).toFixed(1)} kB of ${kB} in ${files.length} of ${requests} requests`, fault: isOver ? 'over its limit' : undefined, files }
}

let isOver = false
for (const limit of limits) {
  const { page, line, fault, files = [] } = measure(limit)
  if (line) console.log(line)
  if (!fault) continue
  isOver = true
  console.error(`${page}: ${fault}`)
  for (const file of files) console.error(`  ${(gzipSync(readFileSync(join(dist, file)), { level: 9 }).length / 1000).toFixed(1).padStart(7)} kB  ${file}`)
}
process.exit(isOver ? 1 : 0)
