import { useEffect, useRef, type ReactNode } from 'react'
import { useMessages } from '#messages/messages.tsx'
import { useProject, useSession } from '#session/session.tsx'
import { Button } from '#ui/button.tsx'
import { DoorLayout, DoorStack } from '#ui/door-layout.tsx'
import { useDoor } from './door-ways.ts'
import css from './front-door.module.css'
import { captchaPlace } from './use-captcha.ts'

interface DoorPageProps {
  title: string
  lead?: ReactNode
  below?: ReactNode
  children: ReactNode
}

/** A page at the door: the project's name, one heading, one question. */
export function DoorPage(props: DoorPageProps) {
  const blocked = useSession().step === 'cookies-blocked'
  return blocked ? <CookiesBlocked /> : <Page {...props} />
}

function Page({ title, lead, below, children }: DoorPageProps) {
  const project = useProject()
  const { captcha } = useDoor()
  const card = useRef<HTMLDivElement>(null)

  useEffect(() => {
    document.title = `${title} · ${project.name}`
    // A step that offers no field to fill in is told to those who listen, by its heading.
    const { activeElement } = document
    if (activeElement && activeElement !== document.body) return
    card.current?.closest('main')?.querySelector<HTMLElement>('h1')?.focus()
  }, [title, project.name])

  return (
    <DoorLayout brand={project.name} title={title} lead={lead} below={below}>
      <div ref={card}>
        <DoorStack>
          {children}
          {captcha && <div id={captchaPlace} className={css.captcha} />}
        </DoorStack>
      </div>
    </DoorLayout>
  )
}

function CookiesBlocked() {
  const { cookiesBlocked } = useMessages().frontDoor
  return (
    <Page title={cookiesBlocked.title} lead={cookiesBlocked.lead}>
      <Button variant="primary" size="door" wide onClick={() => location.reload()}>
        {cookiesBlocked.reload}
      </Button>
    </Page>
  )
}
