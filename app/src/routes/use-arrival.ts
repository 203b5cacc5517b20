import { useEffect, useRef } from 'react'
import { useAnnounce } from '#ui/announcer.tsx'
import type { RouteMatch } from './route.ts'

/**
 * After a change of screen: the heading takes the focus and the title is read out, as a page load would do; a new
 * place starts at its top, while the way back leaves the scrolling to the browser. Within one place the screen moves focus and scroll itself.
 */
export function useArrival(match: RouteMatch | undefined): void {
  const announce = useAnnounce()
  const before = useRef<RouteMatch>(undefined)
  const cameBack = useRef(false)

  useEffect(() => {
    const back = () => (cameBack.current = true)
    const onward = () => (cameBack.current = false)
    addEventListener('popstate', back)
    addEventListener('pushState', onward)
    return () => {
      removeEventListener('popstate', back)
      removeEventListener('pushState', onward)
    }
  }, [])

  useEffect(() => {
    const previous = before.current
    before.current = match
    if (!match || !previous || match.pathname === previous.pathname) return
    const isSamePlace = match.route.place !== undefined && match.route.place === previous.route.place
    if (!cameBack.current && !isSamePlace) scrollTo(0, 0)
    // A slow machine may come to the heading after the person has gone on: where they are now is theirs.
    let wentOn = false
    const goOn = () => (wentOn = true)
    addEventListener('keydown', goOn, true)
    addEventListener('pointerdown', goOn, true)
    const stopListening = () => {
      removeEventListener('keydown', goOn, true)
      removeEventListener('pointerdown', goOn, true)
    }
    // Words and lists may still be on their way; the heading and the title come with the first draw.
    const timer = setTimeout(() => {
      stopListening()
      if (!wentOn && (!isSamePlace || document.activeElement === document.body)) focusHeading()
      announce(document.title)
    }, 50)
    return () => {
      clearTimeout(timer)
      stopListening()
    }
  }, [match, announce])
}

// A screen that put the focus somewhere (a field, a dialog) knows better.
function focusHeading(): void {
  const focused = document.activeElement
  if (focused && focused !== document.body && focused.isConnected && !focused.matches(':is(nav, header, footer) :not([role$=dialog] *)')) return
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading && heading.tabIndex < 0) heading.tabIndex = -1
  heading?.focus({ preventScroll: true })
}
