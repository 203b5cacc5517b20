import { warmEngine } from '@portico/backend/engine-thread'
import { exampleProject } from './app-folder.ts'
import { readCommand } from './options.ts'

// The engine takes the longest to start, so it is begun before the rest of the program is even read.
try {
  const command = readCommand(process.argv.slice(2), exampleProject)
  if (command.kind === 'box' && command.databaseUrl === undefined && !process.env['PORTICO_DATABASE_URL']) warmEngine()
  const { run } = await import('./run.ts')
  await run(command)
  process.exit(0)
} catch (error) {
  const { describeFault } = await import('./faults.ts')
  process.stderr.write(`${describeFault(error)}\n`)
  process.exit(1)
}
