// npm run -s status: what runs over a project, as the Supabase CLI's `status -o json` says it.
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const command = join(import.meta.dirname, '../dist/cli/portico.js')
if (!existsSync(command)) {
  console.error('Nothing runs: Portico has not been started here yet. "npm start" does.')
  process.exit(1)
}
process.argv.splice(2, 0, 'status')
await import('../dist/cli/portico.js')
