const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Waits for Ctrl-C or its like, then stops what runs. A second one ends the process at once. */
export async function untilStopped(stop: () => Promise<void>): Promise<void> {
  await new Promise<void>((resolve) => {
    for (const signal of signals) process.once(signal, () => resolve())
  })
  const endNow = () => process.exit(130)
  for (const signal of signals) process.on(signal, endNow)
  await stop()
}
