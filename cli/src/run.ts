import { findProjectFolder } from '@portico/backend'
import { helpText, type Command } from './options.ts'
import { runPack } from './pack.ts'
import { runApp } from './run-app.ts'
import { runBox } from './run-box.ts'
import { readRunState } from './run-state.ts'
import { version } from './version.ts'

async function printStatus(project: string, json: boolean): Promise<void> {
  const status = await readRunState(findProjectFolder(project).data)
  const lines = Object.entries(status).map(([name, value]) => `${name.padEnd(31)}${value}`)
  console.log(json ? JSON.stringify(status, null, 2) : lines.join('\n'))
}

/** Does what the command says; settles when it is done or was stopped. */
export async function run(command: Command): Promise<void> {
  switch (command.kind) {
    case 'help': return console.log(helpText)
    case 'version': return console.log(version)
    case 'status': return printStatus(command.project, command.json)
    case 'pack': return runPack(command.folder)
    case 'app': return runApp(command)
    case 'box': return runBox(command)
  }
}
