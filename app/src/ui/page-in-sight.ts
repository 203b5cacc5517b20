import { useEffect, useRef } from 'react'

// What react-aria leaves alone when it hides the page from screen readers.
const inSight = 'data-react-aria-top-layer'

/**
 * Keeps the page readable while the list is open. The library hides all but the field and its list, yet leaves the
 * rest to be reached with Tab: a reader would land on things that are not there.
 */
export function usePageInSight(frame: { readonly current: HTMLElement | null }): (open: boolean) => void {
  const kept = useRef<HTMLElement>(undefined)
  const keep = (open: boolean) => {
    kept.current?.removeAttribute(inSight)
    kept.current = open && frame.current ? pageAround(frame.current) : undefined
    kept.current?.setAttribute(inSight, '')
  }
  useEffect(() => () => kept.current?.removeAttribute(inSight), [])
  return keep
}

/** The page or the dialog the element stands in: the outermost thing that holds it. */
function pageAround(element: HTMLElement): HTMLElement {
  const parent = element.parentElement
  return parent === null || parent === document.body ? element : pageAround(parent)
}
