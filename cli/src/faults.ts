import { ConfigError, DatabaseError, DatabaseTooOld, DatabaseUrlError, DataFolderBusy, EngineNotStarted, KeyFileError, MigrationFailed, ProjectFolderError, ProjectUnreadable, RemoteBucketError } from '@portico/backend'
import { CommandError } from './command-error.ts'

// Their messages were written for the person at the terminal.
const plain = [CommandError, ConfigError, DatabaseTooOld, DatabaseUrlError, DataFolderBusy, EngineNotStarted, KeyFileError, MigrationFailed, ProjectFolderError, ProjectUnreadable, RemoteBucketError]

const networkWords: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of the host cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  EHOSTUNREACH: 'there is no way to it',
  ECONNRESET: 'it closed the connection',
}

const diskWords: Readonly<Record<string, (place: string) => string>> = {
  EACCES: (place) => `${place} is not open to you: permission denied.`,
  EPERM: (place) => `${place} is not open to you: permission denied.`,
  EROFS: (place) => `${place} lies on a disk that cannot be written.`,
  ENOSPC: () => 'The disk is full. Make room and start again; nothing that was acknowledged is lost.',
  EDQUOT: () => 'Your share of the disk is full. Make room and start again; nothing that was acknowledged is lost.',
  EEXIST: (place) => `${place} is in the way: it must be a folder, or not be there.`,
  ENOTDIR: (place) => `${place} is in the way: it must be a folder, or not be there.`,
  EMFILE: () => 'This process may not open more files. Raise its limit (ulimit -n).',
}

/** What the system says of itself stands in the cause, however often it was wrapped. */
function systemFault(error: unknown): NodeJS.ErrnoException | undefined {
  for (let each = error, depth = 0; each instanceof Error && depth < 5; each = each.cause, depth += 1) {
    const { code } = each as NodeJS.ErrnoException
    if (code !== undefined && (code in networkWords || code in diskWords)) return each
  }
  return undefined
}

function describeDatabaseFault(error: DatabaseError): string {
  if (error.sqlstate === '53100') return diskWords.ENOSPC?.('') ?? error.message
  if (/^(42501|22023)$/.test(error.sqlstate) && error.message.includes('role "postgres"')) {
    return 'The database\'s user cannot act as the role "postgres": name a superuser, or a member of "postgres" where that role may make others.'
  }
  if (!error.sqlstate.startsWith('08')) return `The database refused: ${error.message} (SQLSTATE ${error.sqlstate})`
  const word = networkWords[systemFault(error)?.code ?? '']
  return `The database cannot be reached: ${word ?? error.message.replace(/^could not connect to the database: /, '')}.`
}

/** Says what went wrong, in one or a few lines and without a stack. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return `Unexpected: ${String(error)}`
  if (plain.some((kind) => error instanceof kind)) return error.message
  if (error instanceof DatabaseError) return describeDatabaseFault(error)
  const system = systemFault(error)
  const say = diskWords[system?.code ?? '']
  if (system && say) return say(system.path ?? 'A file or folder')
  const word = networkWords[system?.code ?? '']
  return word === undefined ? `Unexpected: ${error.message}` : `The database cannot be reached: ${word}.`
}
