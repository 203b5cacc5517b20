import { setFlagsFromString } from 'node:v8'
import { Worker } from 'node:worker_threads'

// Of the engine's 13,000 functions a start runs few: each is compiled when it is first called, and only what runs for long is
// compiled again by the slow, optimising compiler. Without these, that compiler takes both processors just when the start needs them.
const compileWhatRuns = ['--wasm-lazy-compilation', '--wasm-lazy-validation', '--wasm-tiering-budget=200000000']

function createThread(): Worker {
  for (const flag of compileWhatRuns) setFlagsFromString(flag)
  return new Worker(new URL('./pglite-worker.mjs', import.meta.url), {
    name: 'pglite',
    // Deep enough that the engine's own stack check comes before the thread's end, which it does not survive.
    resourceLimits: { stackSizeMb: 32 },
  })
}

let spare: Worker | undefined

/** Starts a thread that makes the engine ready for a folder it is told later, while the rest of the program is still loading. */
export function warmEngine(): void {
  if (spare) return
  const thread = createThread()
  spare = thread
  // One that failed is not used; the start tries with another and tells what it says.
  thread.on('error', () => {
    if (spare === thread) spare = undefined
  })
}

/** Ends the thread that was started ahead: the data is kept elsewhere. */
export function coolEngine(): void {
  void spare?.terminate()
  spare = undefined
}

/** Gives the thread that was started ahead, or a new one. */
export function takeThread(): Worker {
  const thread = spare ?? createThread()
  spare = undefined
  return thread
}
