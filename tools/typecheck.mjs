import { spawnSync } from 'node:child_process'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const asked = process.argv.slice(2)
const projects = asked.length > 0 ? asked : ['backend', 'cli', 'app', '.']
const failed = projects.filter((project) => spawnSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', project], { cwd: root, stdio: 'inherit' }).status !== 0)
process.exit(failed.length === 0 ? 0 : 1)
