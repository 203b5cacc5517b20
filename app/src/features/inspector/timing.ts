import type { Call } from '#api/call-log.ts'

export interface Timing {
  /** Until the first byte of the answer, and from there to its last; in milliseconds. */
  waitedMs: number
  receivedMs: number
}

/** What the browser measured of a call, as far as it still has it and the server lets it be told (it always does on one origin). */
export function findTiming(call: Call): Timing | undefined {
  const [pathname] = call.path.split('?')
  const entry = performance.getEntriesByType('resource').findLast((one) => {
    const isClose = Math.abs(performance.timeOrigin + one.startTime - call.at) < 60
    return isClose && new URL(one.name).pathname === pathname
  }) as PerformanceResourceTiming | undefined
  if (!entry || entry.responseStart === 0) return undefined
  return { waitedMs: Math.round(entry.responseStart - entry.startTime), receivedMs: Math.round(entry.responseEnd - entry.responseStart) }
}
