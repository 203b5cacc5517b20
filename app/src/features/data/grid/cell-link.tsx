import type { MouseEvent, ReactNode } from 'react'
import { navigate } from 'wouter/use-browser-location'

/** A link inside a cell: no tab stop of its own, and, as there are thousands, no subscription to the address. */
export function CellLink({ href, className, title, children }: { href: string; className: string | undefined; title?: string | undefined; children: ReactNode }) {
  return (
    <a href={href} className={className} title={title} tabIndex={-1} onClick={follow}>
      {children}
    </a>
  )
}

// A press with a modifier opens a tab or a window, as everywhere.
function follow(event: MouseEvent<HTMLAnchorElement>): void {
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
  event.preventDefault()
  navigate(event.currentTarget.getAttribute('href') ?? '/data')
}
