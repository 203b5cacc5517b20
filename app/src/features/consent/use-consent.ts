import { useCallback, useEffect, useRef, useState } from 'react'
import type { AppError } from '#api/app-error.ts'
import { consentFault, decideConsent, readConsent, type ConsentFault, type ConsentRequest } from '#api/consent.ts'
import { toAppError } from '#api/unwrap.ts'
import { useClient, useSessionStore, useUser } from '#session/session.tsx'
import { leadsTo, readDestination, siteOf } from './return-address.ts'

/** Why a request is over here. `expired` is one that was shown and waited for too long. */
export type Fault = ConsentFault | 'expired' | 'missing' | 'unsafe'

/** On the way back to the application, with the project's answer. */
export interface Leaving {
  returnTo: string
  outcome: 'known' | 'allowed' | 'denied'
  /** The person leaves to come back with another account. */
  signsOut?: true
}

export type ConsentState =
  | { step: 'looking' }
  | { step: 'asking'; request: ConsentRequest; deciding: Decision | null; error: AppError | null }
  /** `site` is the application's own start page, once it is known who asks. */
  | { step: 'failed'; fault: Fault; site?: string | undefined }
  /** Nothing was learnt: trying again may help. */
  | { step: 'unknown'; error: AppError }

/** `switch` says no and signs out, to come back as somebody else. */
export type Decision = 'allow' | 'deny' | 'switch'

export interface Consent {
  state: ConsentState
  retry: () => void
  decide: (decision: Decision) => void
}

/**
 * Looks at one request as the signed-in person, and answers it.
 *
 * @param leave is given where the person goes now; asked for once
 */
export function useConsent(id: string, leave: (leaving: Leaving) => void): Consent {
  const client = useClient()
  const store = useSessionStore()
  const { id: userId } = useUser()
  const [state, setState] = useState<ConsentState>({ step: 'looking' })
  const [attempt, setAttempt] = useState(0)
  const looked = useRef('')

  useEffect(() => {
    // Looking binds the request, and may answer it: never twice for one reason.
    const key = `${id} ${userId} ${attempt}`
    if (looked.current === key) return
    looked.current = key
    setState({ step: 'looking' })
    void readConsent(client, id).then(
      (answer) => {
        if (answer.kind === 'ask') return setState({ step: 'asking', request: answer.request, deciding: null, error: null })
        if (readDestination(answer.returnTo)) return leave({ returnTo: answer.returnTo, outcome: 'known' })
        setState({ step: 'failed', fault: 'unsafe' })
      },
      (failure: unknown) => {
        const fault = consentFault(failure)
        if (fault) return setState({ step: 'failed', fault })
        setState({ step: 'unknown', error: toAppError(failure) })
        // Whoever is signed out meanwhile is led to the door as soon as that is known.
        void store.verify()
      },
    )
  }, [client, store, id, userId, attempt, leave])

  const decide = useCallback(
    (decision: Decision) => {
      if (state.step !== 'asking' || state.deciding) return
      const { request } = state
      setState({ step: 'asking', request, deciding: decision, error: null })
      void decideConsent(client, id, decision === 'allow').then(
        (returnTo) => {
          if (!leadsTo(returnTo, request.redirectUri)) return setState({ step: 'failed', fault: 'unsafe' })
          leave({ returnTo, outcome: decision === 'allow' ? 'allowed' : 'denied', ...(decision === 'switch' ? { signsOut: true } : {}) })
        },
        (failure: unknown) => {
          const fault = consentFault(failure)
          if (fault) return setState({ step: 'failed', fault: fault === 'gone' ? 'expired' : fault, site: siteOf(request.redirectUri) })
          setState({ step: 'asking', request, deciding: null, error: toAppError(failure) })
          void store.verify()
        },
      )
    },
    [state, client, store, id, leave],
  )

  return { state, decide, retry: () => setAttempt(attempt + 1) }
}
