/** Lets an answer leave at a set time after its request came, so that its speed tells nothing about what was found. */
export async function inEvenTime<T>(leastMs: number, work: (leaves: Promise<void>) => Promise<T>): Promise<T> {
  const leaves = new Promise<void>((resolve) => setTimeout(resolve, leastMs))
  try {
    return await work(leaves)
  } finally {
    await leaves
  }
}
