// npm test: everything, from a fresh clone on. Ends with the line "N passed, N failed".
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requireBrowser } from './find-browser.mjs'
import { install, requireNode } from './install.mjs'

requireNode()
const root = join(import.meta.dirname, '..')
const tally = { passed: 0, failed: 0, skipped: 0 }
let isFinished = false
// Whatever ends the run early: its last line says how it went.
process.on('exit', () => {
  if (!isFinished) console.log(`\n${tally.passed} passed, ${tally.failed + 1} failed`)
})
const results = mkdtempSync(join(tmpdir(), 'portico-test-'))
process.on('exit', () => rmSync(results, { recursive: true, force: true }))

const run = (words, env = {}) => spawnSync(process.execPath, words, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...env } }).status === 0

function step(name, work) {
  const startedAt = Date.now()
  console.log(`\n── ${name}`)
  work()
  console.log(`── ${name}: ${((Date.now() - startedAt) / 1000).toFixed(1)} s`)
}

function check(name, words) {
  step(name, () => {
    if (run(words)) tally.passed += 1
    else {
      tally.failed += 1
      console.log(`✗ ${name} failed`)
    }
  })
}

function vitest(name, projects, env) {
  step(name, () => {
    const file = join(results, `${name}.json`)
    const words = ['node_modules/vitest/vitest.mjs', 'run', '--passWithNoTests', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...projects.map((project) => `--project=${project}`)]
    const isGreen = run(words, env)
    const counted = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
    tally.passed += counted.numPassedTests
    tally.skipped += counted.numPendingTests + counted.numTodoTests
    // A file that cannot even be loaded, or an error outside every test, is one failure more.
    tally.failed += isGreen ? counted.numFailedTests : Math.max(1, counted.numFailedTests)
  })
}

step('install', install)
const chromium = requireBrowser()
check('lint', ['tools/lint.mjs'])
check('typecheck', ['tools/typecheck.mjs'])
check('documents', ['tools/compatibility.mjs', '--check'])
// Before the tests: those of the command run it as it is built.
check('build', ['tools/build.mjs'])
check('size', ['tools/size.mjs'])
vitest('unit and conformance', ['backend', 'cli', 'app', 'conformance'], {})
if (chromium === undefined) {
  tally.failed += 1
  console.log('✗ the browser tests did not run: there is no browser')
} else {
  const evidence = join(root, 'e2e/output')
  rmSync(evidence, { recursive: true, force: true })
  vitest('browser', ['e2e'], { PORTICO_CHROMIUM: chromium })
  if (existsSync(evidence)) console.log(`\nWhat the failed journeys last showed and said is in ${evidence}:\n  ${readdirSync(evidence).join('\n  ')}`)
}

if (tally.skipped > 0) console.log(`\nNot run on this machine: ${tally.skipped} tests (those against a Postgres by URL need its server programs).`)
isFinished = true
console.log(`\n${tally.passed} passed, ${tally.failed} failed`)
process.exitCode = tally.failed > 0 || tally.passed === 0 ? 1 : 0
