import { createInterface } from 'node:readline/promises'
import { CommandError } from './command-error.ts'

/**
 * Asks whether a project's data may be forgotten.
 *
 * @throws CommandError when the answer is no, or when there is nobody to ask.
 */
export async function confirmReset(dataFolder: string, yes: boolean): Promise<void> {
  if (yes) return
  if (!process.stdin.isTTY) throw new CommandError('--reset asks before it forgets data, and there is no terminal to ask at. Add --yes when you mean it.')
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await terminal.question(`Forget all data in ${dataFolder}: rows, accounts, files, mails? Type "yes" to go on: `)
    if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was changed.')
  } finally {
    terminal.close()
  }
}
