import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writePrivately } from '@portico/backend'
import { CommandError } from './command-error.ts'

/** What `status` prints, by the names of the Supabase CLI. Holds secrets: the file is readable by its owner only. */
export interface Status {
  API_URL: string
  APP_URL: string
  MAILBOX_URL: string
  /** Left out while the project has no provider that the local one answers for. */
  IDENTITY_URL?: string
  /** Left out while no local phone takes texts. */
  PHONE_URL?: string
  ANON_KEY: string
  SERVICE_ROLE_KEY: string
  PUBLISHABLE_KEY: string
  SECRET_KEY: string
  JWT_SECRET: string
  DB_URL?: string
  STORAGE_S3_URL?: string
  S3_PROTOCOL_ACCESS_KEY_ID?: string
  S3_PROTOCOL_ACCESS_KEY_SECRET?: string
  S3_PROTOCOL_REGION?: string
}

interface RunState {
  pid: number
  status: Status
}

const fileIn = (dataFolder: string): string => join(dataFolder, 'run.json')

/** Notes that this process serves the folder. */
export const writeRunState = (dataFolder: string, status: Status): Promise<boolean> =>
  writePrivately(fileIn(dataFolder), `${JSON.stringify({ pid: process.pid, status } satisfies RunState)}\n`, { replace: true })

export const removeRunState = (dataFolder: string): Promise<void> => rm(fileIn(dataFolder), { force: true })

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is alive too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/health`, { signal: AbortSignal.timeout(2000) })).ok
  } catch {
    return false
  }
}

/**
 * Reads what runs over a data folder.
 *
 * @throws CommandError when nothing does, a killed process' note included.
 */
export async function readRunState(dataFolder: string): Promise<Status> {
  const nothing = new CommandError(`Nothing runs over ${dataFolder}. "npm start" starts it.`)
  let state: RunState
  try {
    state = JSON.parse(await readFile(fileIn(dataFolder), 'utf8')) as RunState
  } catch {
    throw nothing
  }
  if (!isAlive(state.pid) || !(await answers(state.status.API_URL))) throw nothing
  return state.status
}
