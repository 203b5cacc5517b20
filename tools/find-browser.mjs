// Finds a Chromium for the browser tests; on Debian, as root, installs one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'microsoft-edge']
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The path of a browser that is there, or undefined. PORTICO_CHROMIUM wins. */
export function findBrowser() {
  const named = process.env.PORTICO_CHROMIUM
  if (named) return existsSync(named) ? named : undefined
  const folders = (process.env.PATH ?? '').split(delimiter)
  return [...names.flatMap((name) => folders.map((folder) => join(folder, name))), ...elsewhere].find((path) => existsSync(path))
}

function installOnDebian() {
  const canInstall = process.platform === 'linux' && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  if (!canInstall || process.env.PORTICO_CHROMIUM) return
  console.error('Installing chromium with apt-get (once) …')
  const apt = (...words) => spawnSync('apt-get', ['-q', '-y', ...words], { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
  apt('update')
  apt('install', '--no-install-recommends', 'chromium')
}

/** The path of a browser. Undefined, and a sentence said, when there is none and none can be installed. */
export function requireBrowser() {
  if (!findBrowser()) installOnDebian()
  const found = findBrowser()
  if (found) return found
  console.error(
    process.env.PORTICO_CHROMIUM
      ? `PORTICO_CHROMIUM names ${process.env.PORTICO_CHROMIUM}, which is not there.`
      : 'The browser tests need Chromium or Chrome, and none was found. Install one (Debian: apt-get install chromium), or name it with PORTICO_CHROMIUM=/path/to/chrome.',
  )
  return undefined
}
