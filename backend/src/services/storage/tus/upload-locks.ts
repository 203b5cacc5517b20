import { interrupted, uploadLocked } from './errors.ts'

/** The right to write to one upload. */
export interface UploadLock {
  /** Aborted when somebody else wants the upload and this holder has gone silent. */
  signal: AbortSignal
  /** The holder says that it is alive: bytes came. */
  touch(): void
  release(): void
}

export interface UploadLocks {
  /**
   * Takes an upload. A holder that has been silent gives it up: its client is gone, or its line is, and comes back under another socket.
   *
   * @throws 423 when the holder is alive.
   */
  acquire(key: string): Promise<UploadLock>
  isHeld(key: string): boolean
}

export interface LockTimes {
  /** A holder that has received nothing for so long is taken for dead. */
  silenceMs: number
  /** How long a newcomer waits for a holder that is about to end. */
  patienceMs: number
}

const usualTimes: LockTimes = { silenceMs: 2000, patienceMs: 5000 }

interface Holder {
  abort: AbortController
  heardAt: number
  released: Promise<void>
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

async function outlast(holder: Holder, times: LockTimes): Promise<void> {
  const deadline = performance.now() + times.patienceMs
  for (;;) {
    // What waits in the socket of a busy process has been said too: it is heard before anybody is called silent.
    await new Promise((resolve) => setImmediate(resolve))
    const silentFor = performance.now() - holder.heardAt
    if (silentFor >= times.silenceMs) holder.abort.abort(interrupted())
    const left = deadline - performance.now()
    if (left <= 0) throw uploadLocked()
    const next = holder.abort.signal.aborted ? left : Math.min(left, times.silenceMs - silentFor)
    const isFree = await Promise.race([holder.released.then(() => true), pause(Math.max(1, next)).then(() => false)])
    if (isFree) return
  }
}

/** Makes the locks of this process' uploads. Their bytes lie in this process' own folder, so no other can write to them. */
export function createUploadLocks(times: LockTimes = usualTimes): UploadLocks {
  const holders = new Map<string, Holder>()

  const take = (key: string): UploadLock => {
    const { promise, resolve } = withResolver()
    const holder: Holder = { abort: new AbortController(), heardAt: performance.now(), released: promise }
    holders.set(key, holder)
    return {
      signal: holder.abort.signal,
      touch: () => { holder.heardAt = performance.now() },
      release: () => {
        if (holders.get(key) === holder) holders.delete(key)
        resolve()
      },
    }
  }

  return {
    async acquire(key) {
      for (let holder = holders.get(key); holder !== undefined; holder = holders.get(key)) await outlast(holder, times)
      return take(key)
    },
    isHeld: (key) => holders.has(key),
  }
}

function withResolver(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => {}
  const promise = new Promise<void>((settle) => { resolve = settle })
  return { promise, resolve }
}
