// Installs what package-lock.json names, when it is not there.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const leastNode = [20, 19]

const readLock = (path) => {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages
  } catch {
    return undefined
  }
}

/** Whether node_modules holds every package of the lock at its version. npm keeps its own list of what it laid there. */
export function isInstalled() {
  const asked = readLock('package-lock.json')
  const there = readLock('node_modules/.package-lock.json')
  if (!asked || !there) return false
  return Object.entries(asked).every(([path, wanted]) => {
    if (path === '' || wanted.link || wanted.optional || wanted.devOptional || !path.includes('node_modules/')) return true
    return there[path]?.version === wanted.version
  })
}

/** Ends the process with a sentence when Node is too old. */
export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])) return
  console.error(`Portico needs Node ${leastNode.join('.')} or newer; this is ${process.versions.node}. See https://nodejs.org/ for a newer one.`)
  process.exit(1)
}

/** Runs `npm ci` when something is missing. Ends the process when that fails. */
export function install() {
  if (isInstalled()) return
  console.error('Installing packages (once) …')
  const run = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], shell: process.platform === 'win32' })
  if (run.status === 0) return
  console.error('The packages could not be installed: "npm ci" failed. What it said is above; "npm start" tries again.')
  process.exit(1)
}
