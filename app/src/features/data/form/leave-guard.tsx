import { useEffect, useRef, useState, type ReactNode } from 'react'
import { useWords } from '#features/data/words.ts'
import { ConfirmDialog } from '#ui/confirm-dialog.tsx'

export interface LeaveGuard {
  /** Asks, and goes on when the work may be given up. */
  ask: (goOn: () => void) => void
  /** The question, to be drawn beside the form. */
  question: ReactNode
}

/** While `isActive`, asks before unsaved work is left: by a link, the palette, a shortcut, or closing the window. */
export function useLeaveGuard(isActive: boolean, onDiscard: () => void): LeaveGuard {
  const words = useWords()
  const [held, setHeld] = useState<() => void>()
  const release = useRef(() => {})
  const ask = (goOn: () => void) => setHeld(() => goOn)

  useEffect(() => {
    if (!isActive) return
    release.current = guardHistory((goOn) => setHeld(() => goOn))
    const askOnClose = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', askOnClose)
    return () => {
      release.current()
      removeEventListener('beforeunload', askOnClose)
    }
  }, [isActive])

  const leave = () => {
    release.current()
    onDiscard()
    setHeld(undefined)
    held?.()
  }
  const question = (
    <ConfirmDialog open={held !== undefined} onClose={() => setHeld(undefined)} title={words.discardTitle} confirmLabel={words.discard} onConfirm={leave}>
      {words.discardHint}
    </ConfirmDialog>
  )
  return { ask, question }
}

/**
 * Holds back every step to another page, whoever takes it. Two ways are let through, and the work is kept for the way
 * back: replacing the address, as a session that ended leads to the door, and the browser's own back button.
 */
function guardHistory(hold: (goOn: () => void) => void): () => void {
  const place = location.href
  const push = history.pushState
  const isHere = (url: string | URL | null | undefined) => new URL(url ?? '', place).pathname === new URL(place).pathname

  const guarded: History['pushState'] = (state, unused, url) => {
    const goOn = () => push.call(history, state, unused, url)
    if (isHere(url)) goOn()
    else hold(goOn)
  }
  history.pushState = guarded
  return () => {
    if (history.pushState === guarded) history.pushState = push
  }
}
