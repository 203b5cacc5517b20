const windowMs = 5000

/** Measures how fast something grows, over the last seconds. `now` is for tests. */
export function createSpeed(now: () => number = () => performance.now()) {
  let samples: { at: number; bytes: number }[] = []
  return {
    add(bytes: number): void {
      const at = now()
      samples = [...samples.filter((sample) => at - sample.at < windowMs), { at, bytes }]
    },
    /** Bytes a second; 0 while too little is known. */
    read(): number {
      const [first] = samples
      const last = samples.at(-1)
      if (!first || !last || last.at - first.at < 250) return 0
      return Math.max(0, ((last.bytes - first.bytes) / (last.at - first.at)) * 1000)
    },
  }
}
