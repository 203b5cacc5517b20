/**
 * Lets an answer leave at a set time after its work began, so that its speed tells nothing about what was found.
 *
 * @param leastMs 0: the answer leaves when it is ready, and `leaves` is undefined.
 */
export async function inEvenTime<T>(leastMs: number, work: (leaves: Promise<void> | undefined) => Promise<T>): Promise<T> {
  if (leastMs === 0) return work(undefined)
  const leaves = new Promise<void>((resolve) => setTimeout(resolve, leastMs))
  try {
    return await work(leaves)
  } finally {
    await leaves
  }
}
