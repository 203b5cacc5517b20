import { useEffect } from 'react'
import { useLoadArea } from '#messages/messages.tsx'

/** Fetches the words of the rarer failures, if they are not there yet; without a network the common ones have to do. */
export function useRefusals(isNeeded = true): void {
  const loadArea = useLoadArea()
  useEffect(() => {
    if (isNeeded) loadArea('refusals').catch(() => {})
  }, [isNeeded, loadArea])
}
