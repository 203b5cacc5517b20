/** Longest wait for the other site to begin to answer. */
const patienceMs = 15_000

/**
 * While the browser goes to another site, the button that was pressed keeps waiting. It is there again for whoever comes back to the
 * page as it was left, and when nothing has come of it.
 */
export const untilLeft = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, patienceMs)
    addEventListener('pageshow', () => resolve(), { once: true })
  })
