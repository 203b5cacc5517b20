/** What the person is about to do; said in the question. */
export type StepUpReason = 'password' | 'email' | 'phone' | 'factors' | 'passkeys' | 'delete-account' | 'sessions' | 'export'

/** A question that waits for its answer. */
export interface StepUpQuestion {
  reason: StepUpReason
  /** `factor`: a second factor; `again`: any proof of being the same person, for those without one. */
  proof: 'factor' | 'again'
  /** True once proven; false when the person turned back. */
  answer: (isProven: boolean) => void
}

let asked: StepUpQuestion | undefined
const listeners = new Set<() => void>()

function become(next: StepUpQuestion | undefined): void {
  asked = next
  for (const listener of listeners) listener()
}

/** Puts the question before the person; whoever asked earlier and still waits is told no. */
export function askForProof(reason: StepUpReason, proof: StepUpQuestion['proof']): Promise<boolean> {
  asked?.answer(false)
  return new Promise((resolve) => {
    const question: StepUpQuestion = {
      reason,
      proof,
      answer: (isProven) => {
        if (asked === question) become(undefined)
        resolve(isProven)
      },
    }
    become(question)
  })
}

/** The question in hand; the same object until it is answered. */
export const stepUpQuestion = (): StepUpQuestion | undefined => asked

export function subscribeToStepUp(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
