import { useCallback } from 'react'
import { useSessionStore } from './session.tsx'
import { hasVerifiedFactor, isSignedIn, type SessionState } from './session-state.ts'
import { askForProof, type StepUpReason } from './step-up-call.ts'

export type { StepUpReason }

/** A proof younger than this is not asked for again. */
export const freshProofMs = 10 * 60_000

/** Proofs that leave no trace in the token, by session id, and those of clocks that disagree with the server's. */
const noted = new Map<string, number>()

/** Remembers that the person of this session has just shown who they are. */
export const noteProof = (sessionId: string, now: number = Date.now()): void => void noted.set(sessionId, now)

/** What has to be shown before a risky change: a second factor where there is one, else any proof; nothing when that was done a moment ago. */
export function neededProof(state: SessionState, now: number): 'factor' | 'again' | 'none' {
  if (!isSignedIn(state)) return 'none'
  const { user, session } = state
  // A guest has nothing to show but the session itself.
  if (user.is_anonymous) return 'none'
  const hasFactor = hasVerifiedFactor(user)
  const provenAt = Math.max(hasFactor ? session.provenAt.second : session.provenAt.first, noted.get(session.id) ?? 0)
  if (now - provenAt < freshProofMs) return 'none'
  return hasFactor ? 'factor' : 'again'
}

/**
 * Makes sure that it is still the same person, before something risky: `if (!(await stepUp('delete-account'))) return`.
 * Asks in a dialog that the shell places, unless a proof is younger than ten minutes. False when the person turned back.
 */
export function useStepUp(): (reason: StepUpReason) => Promise<boolean> {
  const store = useSessionStore()
  return useCallback(
    async (reason) => {
      const state = store.current()
      if (!isSignedIn(state)) return false
      const proof = neededProof(state, Date.now())
      return proof === 'none' ? true : askForProof(reason, proof)
    },
    [store],
  )
}
