import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { bootstrap, buildTemplate, extensionBundles } from '@portico/backend'

// Run by the build: makes the database that first starts begin with, at the path given.
const [out] = process.argv.slice(2)
if (out === undefined) throw new Error('make-template needs the path to write')
mkdirSync(dirname(out), { recursive: true })
await buildTemplate({ out, prepare: bootstrap, extensions: extensionBundles([]) })
process.exit(0)
