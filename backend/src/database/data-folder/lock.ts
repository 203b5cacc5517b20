import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, ownIdentity, type ProcessIdentity } from './process-identity.ts'

/** Another process holds the data folder. */
export class DataFolderBusy extends Error {
  readonly pid: number
  readonly dataDir: string

  constructor(dataDir: string, pid: number) {
    super(`The data folder ${dataDir} is in use by process ${pid}. Stop that process, or start with another data folder.`)
    this.name = 'DataFolderBusy'
    this.pid = pid
    this.dataDir = dataDir
  }
}

export interface DataFolderLock {
  release(): void
}

const heartbeatMs = 2_000
// A holder in another container cannot be asked whether it runs; it is taken for dead once it has been silent this long.
const silenceMs = 8_000

interface Holder extends ProcessIdentity {
  token: string
}

/**
 * The lock is a folder of numbered files, and the highest number holds it. A number is claimed by `link`, which exactly one
 * process can win, with its content in place. Numbers only grow, and the last two files stay, so nobody can claim a number that
 * somebody else was given and let go of meanwhile.
 */
function numbers(lockDir: string): number[] {
  return readdirSync(lockDir).filter((name) => /^\d+$/.test(name)).map(Number).sort((a, b) => b - a)
}

function readHolder(lockDir: string, number: number): Holder | undefined {
  try {
    return JSON.parse(readFileSync(join(lockDir, String(number)), 'utf8')) as Holder
  } catch {
    // Let go of, or made way for a higher number.
    return undefined
  }
}

/** Waits out a holder that cannot be asked; true when it has shown no sign of life. */
async function isSilent(path: string): Promise<boolean> {
  const seen = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  for (let waited = 0; waited < silenceMs; waited += heartbeatMs / 4) {
    await sleep(heartbeatMs / 4)
    if (statSync(path, { throwIfNoEntry: false })?.mtimeMs !== seen) return false
  }
  return true
}

async function holds(lockDir: string, number: number): Promise<Holder | undefined> {
  const holder = readHolder(lockDir, number)
  if (!holder) return undefined
  const running = isRunning(holder) ?? !(await isSilent(join(lockDir, String(number))))
  return running ? holder : undefined
}

function claim(lockDir: string, number: number): boolean {
  const token = randomUUID()
  const draft = join(lockDir, `draft-${token}`)
  writeFileSync(draft, JSON.stringify({ ...ownIdentity(), token }), { mode: 0o600 })
  try {
    linkSync(draft, join(lockDir, String(number)))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

function held(lockDir: string, number: number): DataFolderLock {
  const path = join(lockDir, String(number))
  const heartbeat = setInterval(() => {
    const now = new Date()
    try { utimesSync(path, now, now) } catch { /* the folder was removed under us */ }
  }, heartbeatMs)
  heartbeat.unref()
  return {
    release() {
      clearInterval(heartbeat)
      // Emptied, not removed: the number stays taken.
      try { writeFileSync(path, '') } catch { /* the folder was removed under us */ }
    },
  }
}

/**
 * Takes the lock of a data folder. A lock whose process is gone, killed included, is taken over.
 *
 * @throws DataFolderBusy
 */
export async function lockDataFolder(dataDir: string, lockDir: string): Promise<DataFolderLock> {
  mkdirSync(lockDir, { recursive: true, mode: 0o700 })
  for (;;) {
    const [highest = 0] = numbers(lockDir)
    const holder = highest > 0 ? await holds(lockDir, highest) : undefined
    if (holder) throw new DataFolderBusy(dataDir, holder.pid)
    const mine = highest + 1
    if (!claim(lockDir, mine)) continue
    const [top = mine, ...lower] = numbers(lockDir)
    if (top === mine) {
      for (const number of lower.slice(1)) rmSync(join(lockDir, String(number)), { force: true })
      return held(lockDir, mine)
    }
    // Somebody went past while we looked: what we claimed was already behind.
    rmSync(join(lockDir, String(mine)), { force: true })
  }
}
