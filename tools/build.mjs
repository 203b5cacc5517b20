// Builds everything `npm start` runs: the app (app/dist, with compressed copies), the command and its worker (dist/cli), and the
// database template (dist/template) that a first start unpacks instead of making a database from nothing.
import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { stampOfSources, writeStamp } from './stamp.mjs'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')
const stamp = stampOfSources()

function run(words, cwd) {
  // Whoever starts the build may have set another: a test runner does, and React would come with its development checks.
  const env = { ...process.env, NODE_ENV: 'production' }
  const result = spawnSync(process.execPath, words, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'], encoding: 'utf8' })
  if (result.status !== 0) {
    process.stderr.write(result.stdout)
    process.exit(1)
  }
}

const compressible = new Set(['.js', '.css', '.html', '.svg', '.json', '.webmanifest', '.txt', '.ico'])

function compress(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || !compressible.has(extname(entry.name)) || path.includes('.vite')) continue
    const content = readFileSync(path)
    if (content.length < 512) continue
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }))
    writeFileSync(`${path}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }))
  }
}

function buildApp() {
  run([join(root, 'node_modules/vite/bin/vite.js'), 'build', '--logLevel', 'warn'], join(root, 'app'))
  compress(join(root, 'app/dist'))
}

// Engines and native code stay where npm laid them: they find their own files from there.
const external = ['@electric-sql/*', '@node-rs/*', 'sharp']

// The checker of wire shapes brings its messages in fifty languages; answers are in English, and reading the others takes time.
const englishOnly = {
  name: 'english-only',
  setup: (build) => build.onLoad({ filter: /zod[/\\]v4[/\\]locales[/\\]index\.js$/ }, () => ({ contents: "export { default as en } from './en.js'" })),
}

const common = {
  plugins: [englishOnly],
  bundle: true,
  // Read faster, and still with the names that a stack trace needs.
  minifyWhitespace: true,
  minifySyntax: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  loader: { '.sql': 'text' },
  logLevel: 'warning',
  // Packages in the older module format ask for `require`.
  banner: { js: "import { createRequire as portico_createRequire } from 'node:module'; const require = portico_createRequire(import.meta.url);" },
}

async function buildCommand() {
  const out = join(dist, 'cli')
  // Pieces are called by their content: those of an older build would stay for ever.
  rmSync(out, { recursive: true, force: true })
  await build({ ...common, external, entryPoints: { portico: join(root, 'cli/src/main.ts'), 'make-template': join(root, 'cli/src/make-template.ts') }, splitting: true, chunkNames: '[name]-[hash]', outdir: out })
  // Workers are found beside the command by their names.
  const found = readdirSync(join(root, 'backend/src'), { recursive: true }).filter((name) => name.endsWith('-worker.mjs'))
  // What Deno runs stays as it is written: with the words put before a bundle, Deno would bring up its Node, in 20 ms.
  const [forDeno, workers] = [true, false].map((isForDeno) => found.filter((name) => name.endsWith('function-worker.mjs') === isForDeno))
  for (const name of forDeno) copyFileSync(join(root, 'backend/src', name), join(out, basename(name)))
  if (workers.length > 0) await build({ ...common, external, entryPoints: workers.map((name) => join(root, 'backend/src', name)), outdir: out, entryNames: '[name]', outExtension: { '.js': '.mjs' } })
}

// For work on the backend alone: the app stays as it was built last, and the next start builds it anew.
const withoutApp = process.argv.includes('--without-app')

mkdirSync(dist, { recursive: true })
if (!withoutApp) buildApp()
await buildCommand()
run([join(dist, 'cli/make-template.js'), join(dist, 'template/template.tar.gz')], root)
writeStamp(withoutApp ? '' : stamp)
