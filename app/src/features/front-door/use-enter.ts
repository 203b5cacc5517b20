import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useDoorMemory } from '#session/door-memory.ts'
import { home } from '#session/redirects.ts'
import { useSession } from '#session/session.tsx'

interface Entering {
  /** False on pages that a signed-in person may want to stay on: only a recovery leads on. */
  whenSignedIn?: boolean
}

/**
 * Lets a signed-in person through to where they wanted to go, whichever tab they signed in with.
 * The place belongs to the person who left it; somebody else begins at the start.
 */
export function useEnter(to: string, { whenSignedIn = true }: Entering = {}): void {
  const session = useSession()
  const [, navigate] = useLocation()
  const { pending, lastWay } = useDoorMemory()
  const [leaver] = useState(() => (session.step === 'signed-out' ? (session.last?.id ?? null) : null))
  const entered = useRef(false)
  const step = session.step
  const userId = step === 'signed-in' || step === 'recovering' ? session.user.id : null

  useEffect(() => {
    // This page stays until the next one is loaded, while its address is the next one's already.
    if (userId === null || entered.current) return
    if (!whenSignedIn && step !== 'recovering') return
    entered.current = true
    if (step === 'recovering') return navigate('/new-password', { replace: true })
    pending.forget()
    lastWay.confirm()
    navigate(leaver !== null && leaver !== userId ? home : to, { replace: true })
  }, [userId, step, leaver, to, navigate, pending, lastWay, whenSignedIn])
}
