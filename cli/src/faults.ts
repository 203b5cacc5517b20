import { ConfigError, DatabaseError, DataFolderBusy, KeyFileError, MigrationFailed, ProjectFolderError, ProjectUnreadable } from '@portico/backend'
import { CommandError } from './command-error.ts'

// Their messages were written for the person at the terminal.
const plain = [CommandError, ConfigError, DataFolderBusy, KeyFileError, MigrationFailed, ProjectFolderError, ProjectUnreadable]

const networkWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  ETIMEDOUT: 'it does not answer',
  ECONNRESET: 'it closed the connection',
}

/** Says what went wrong, in one or a few lines and without a stack. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return `Unexpected: ${String(error)}`
  if (plain.some((kind) => error instanceof kind)) return error.message
  if (error instanceof DatabaseError && error.sqlstate.startsWith('08')) return `The database cannot be reached: ${error.message}`
  if (error instanceof DatabaseError) return `The database refused: ${error.message} (SQLSTATE ${error.sqlstate})`
  const word = networkWords[(error as NodeJS.ErrnoException).code ?? '']
  if (word !== undefined) return `The database cannot be reached: ${word}.`
  return `Unexpected: ${error.message}`
}
