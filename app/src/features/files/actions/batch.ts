import type { AppError } from '#api/app-error.ts'
import { toAppError } from '#api/unwrap.ts'

/** One thing of many that did not work. */
export interface BatchFailure {
  path: string
  error: AppError
}

export interface BatchResult {
  done: number
  failures: readonly BatchFailure[]
  /** False when it was stopped before everything had its turn. */
  isWhole: boolean
}

/** How far something over many files is. `total` is undefined while they are still being counted. */
export interface BatchProgress {
  done: number
  total: number | undefined
  failures: readonly BatchFailure[]
}

export interface Batch<Item> {
  items: readonly Item[]
  pathOf: (item: Item) => string
  work: (item: Item) => Promise<void>
  signal: AbortSignal
  onProgress: (progress: BatchProgress) => void
}

const atOnce = 4

/** Works through many things, a few at a time. One that fails stops none of the others; what has begun is finished even when it is stopped. */
export async function runBatch<Item>({ items, pathOf, work, signal, onProgress }: Batch<Item>): Promise<BatchResult> {
  const failures: BatchFailure[] = []
  const rest = items.values()
  let done = 0
  const goOn = async () => {
    for (const item of rest) {
      if (signal.aborted) return
      try {
        await work(item)
        done += 1
      } catch (cause) {
        failures.push({ path: pathOf(item), error: toAppError(cause) })
      }
      onProgress({ done, total: items.length, failures })
    }
  }
  await Promise.all(Array.from({ length: atOnce }, goOn))
  return { done, failures, isWhole: done + failures.length === items.length }
}
