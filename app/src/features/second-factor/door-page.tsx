import { useEffect, useRef, type ReactNode } from 'react'
import { useProject } from '#session/session.tsx'
import { DoorLayout, DoorStack } from '#ui/door-layout.tsx'

interface DoorPageProps {
  title: string
  lead?: ReactNode
  below?: ReactNode
  children: ReactNode
}

/** A page at the door, between signing in and being in. */
export function DoorPage({ title, lead, below, children }: DoorPageProps) {
  const project = useProject()
  const card = useRef<HTMLDivElement>(null)

  useEffect(() => {
    document.title = `${title} · ${project.name}`
    const { activeElement } = document
    if (activeElement && activeElement !== document.body) return
    card.current?.closest('main')?.querySelector<HTMLElement>('h1')?.focus()
  }, [title, project.name])

  return (
    <DoorLayout brand={project.name} title={title} lead={lead} below={below}>
      <div ref={card}>
        <DoorStack>{children}</DoorStack>
      </div>
    </DoorLayout>
  )
}
