import { useMessages } from '#messages/messages.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { DoorPage } from './door-page.tsx'
import css from './front-door.module.css'

/** A page of the door that asks nothing yet. */
export function Waiting({ title, lead }: { title: string; lead?: string }) {
  const { ui } = useMessages()
  return (
    <DoorPage title={title} lead={lead}>
      <div className={css.waiting} role="status" aria-label={ui.loading}>
        <Spinner size={24} />
      </div>
    </DoorPage>
  )
}
