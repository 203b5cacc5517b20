import { createStamps, type EdgeFunction } from './catalog.ts'
import { tooManyRequests } from './errors.ts'
import type { FunctionsSettings } from './settings.ts'
import { FunctionWorker, type WorkerOptions } from './worker.ts'

export interface WorkersOptions {
  settings: FunctionsSettings
  /** What a worker of a function is started with. */
  optionsFor(edgeFunction: EdgeFunction): WorkerOptions
}

interface Place {
  stamp: string
  checkedAt: number
  current: FunctionWorker | undefined
}

// Files are looked at no more often than this.
const freshMs = 100
const checkMs = 200
// So many workers one function may have while older ones end, so that one that hangs leaves room for the others; then the oldest goes.
const mostOfOne = 3

/** The workers of all functions: started at the first call, replaced when files change, ended when idle. */
export class Workers {
  readonly #options: WorkersOptions
  readonly #places = new Map<string, Place>()
  readonly #living = new Map<FunctionWorker, string>()
  readonly #stampOf: (edgeFunction: EdgeFunction) => string
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: WorkersOptions) {
    this.#options = options
    this.#stampOf = createStamps(options.settings)
  }

  /**
   * Finds the worker that takes the next request of a function, or starts one.
   *
   * @throws 429 `TOO_MANY_REQUESTS` when the function, or the box, has all hands full.
   */
  get(edgeFunction: EdgeFunction): FunctionWorker {
    const { limits, policy } = this.#options.settings
    const { name } = edgeFunction
    const place = this.#refresh(edgeFunction)
    const { current } = place
    if (current?.isOpen === true) {
      if (current.running >= limits.requests) throw tooManyRequests(`The function ${name} answers ${limits.requests} requests at the same time already`)
      return current
    }
    this.#makeRoom(name)
    const worker = this.#start(edgeFunction)
    if (policy === 'per_worker') place.current = worker
    else worker.retire()
    return worker
  }

  #refresh(edgeFunction: EdgeFunction): Place {
    const known = this.#places.get(edgeFunction.name)
    const now = performance.now()
    if (known && now - known.checkedAt < freshMs) return known
    const stamp = this.#stampOf(edgeFunction)
    if (known?.stamp === stamp) {
      known.checkedAt = now
      return known
    }
    known?.current?.retire()
    const place = { stamp, checkedAt: now, current: undefined }
    this.#places.set(edgeFunction.name, place)
    return place
  }

  #makeRoom(name: string): void {
    const { limits, policy } = this.#options.settings
    const ofOne = [...this.#living].filter(([, each]) => each === name).map(([worker]) => worker)
    // Those before it were replaced, by new files or for hanging: what they still do has had its time.
    if (policy === 'per_worker' && ofOne.length >= mostOfOne && ofOne[0]) return this.#drop(ofOne[0])
    if (this.#living.size < limits.workers) return
    const idle = [...this.#living.keys()].filter((worker) => worker.isIdle).toSorted((one, other) => one.lastUsedAt - other.lastUsedAt)[0]
    if (!idle) throw tooManyRequests(`${limits.workers} functions are at work already`)
    this.#drop(idle)
  }

  #drop(worker: FunctionWorker): void {
    worker.end('retired')
    this.#living.delete(worker)
  }

  #start(edgeFunction: EdgeFunction): FunctionWorker {
    const worker = new FunctionWorker(this.#options.optionsFor(edgeFunction))
    this.#living.set(worker, edgeFunction.name)
    this.#timer ??= setInterval(() => this.#check(), checkMs).unref()
    void worker.ended.then(() => this.#living.delete(worker))
    if (this.#isClosed) worker.end('closing')
    return worker
  }

  #check(): void {
    for (const worker of this.#living.keys()) worker.check()
    if (this.#living.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Ends all at once. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    const workers = [...this.#living.keys()]
    for (const worker of workers) worker.end('closing')
    await Promise.all(workers.map((worker) => worker.ended))
  }
}
