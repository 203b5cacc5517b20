import type { Auth } from './auth.ts'
import { cleanups } from './housekeeping.queries.ts'

/** Least time between two rounds. */
const everyMs = 60_000

/**
 * Gives what removes rows nobody can use any more: a little at a time, after a request, never in its way.
 *
 * @see supabase/auth internal/models/cleanup.go
 */
export function createHousekeeping(auth: Auth): () => void {
  let round = 0
  // The first minute belongs to the start.
  let nextAt = auth.now().getTime() + everyMs
  return () => {
    if (auth.now().getTime() < nextAt) return
    nextAt = auth.now().getTime() + everyMs
    const cleanup = cleanups[round % cleanups.length]
    round += 1
    if (!cleanup) return
    auth.transact((tx) => cleanup(tx, auth.now())).catch((error: unknown) => auth.logger.warn('auth housekeeping failed', { error }))
  }
}
