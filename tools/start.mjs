// npm start: installs and builds what is missing, then runs the command in this very process.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { install, requireNode } from './install.mjs'
import { isBuilt, isUntouched, noteUntouched } from './stamp.mjs'

requireNode()

function prepare() {
  const root = join(import.meta.dirname, '..')
  install()
  if (!isBuilt()) {
    console.error('Building …')
    const build = spawnSync(process.execPath, [join(root, 'tools/build.mjs')], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
    if (build.status !== 0) {
      console.error('The build failed; what it said is above.')
      process.exit(1)
    }
  }
  noteUntouched()
}

if (!isUntouched()) prepare()
await import('../dist/cli/portico.js')
