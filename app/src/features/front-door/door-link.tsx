import type { ReactNode } from 'react'
import { Link } from '#ui/link.tsx'
import type { DoorStep } from './use-step.ts'

interface DoorLinkProps {
  door: DoorStep
  /** `/forgot-password` */
  to: string
  label?: string
  children: ReactNode
}

/** A link to another page of the door that takes the address given so far along, in the browser's history. */
export function DoorLink({ door, to, label, children }: DoorLinkProps) {
  return (
    <Link
      href={door.pathOf(to)}
      aria-label={label}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        door.go(to, 'email', door.email)
      }}
    >
      {children}
    </Link>
  )
}
