const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// npm hands a Ctrl-C on to a process that the terminal has told already: two of one keypress are one.
const sameKeypressMs = 400

/** Waits for Ctrl-C or its like, then stops what runs. A second one ends the process at once. */
export async function untilStopped(stop: () => Promise<void>): Promise<void> {
  let firstAt: number | undefined
  await new Promise<void>((resolve) => {
    const hear = () => {
      if (firstAt !== undefined && performance.now() - firstAt > sameKeypressMs) process.exit(130)
      firstAt ??= performance.now()
      resolve()
    }
    for (const signal of signals) process.on(signal, hear)
  })
  await stop()
}
