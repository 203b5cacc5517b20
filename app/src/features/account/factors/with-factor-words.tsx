import { useEffect, useState, type ReactNode } from 'react'
import { useLoadArea, useMessages } from '#messages/messages.tsx'
import { Skeleton } from '#ui/skeleton.tsx'

/** Draws what needs the words of factors and passkeys once they are there. */
export function WithFactorWords({ children }: { children: ReactNode }) {
  const loadArea = useLoadArea()
  const { ui } = useMessages()
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    // The words of failures can be done without; those of the section cannot: without a network it stays an outline.
    void Promise.all([loadArea('factors'), loadArea('refusals').catch(() => {})]).then(() => setLoaded(true), () => {})
  }, [loadArea])
  return isLoaded ? children : <Skeleton label={ui.loading} lines={3} />
}
