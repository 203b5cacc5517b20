/** Makes a function that runs so many tasks at once, lets so many wait, and refuses the rest. */
export function createQueue({ running, waiting, refuse }: { running: number; waiting: number; refuse: () => Error }): <T>(task: () => Promise<T>) => Promise<T> {
  let busy = 0
  const line: (() => void)[] = []
  return async (task) => {
    if (busy >= running) {
      if (line.length >= waiting) throw refuse()
      // Whoever ends hands over the place itself, so nobody slips in between.
      await new Promise<void>((resolve) => line.push(resolve))
    } else busy++
    try {
      return await task()
    } finally {
      const next = line.shift()
      if (next) next()
      else busy--
    }
  }
}
