import type { AppError } from '#api/app-error.ts'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { TechnicalDetails } from '#ui/failure.tsx'

/** Why it did not work and what to do, above the button. */
export function Refusal({ error, waitSeconds = 0 }: { error: AppError | null; waitSeconds?: number }) {
  const { errors, secondFactor: words } = useMessages()
  if (!error) return null
  const { title, whatToDo, technical } = explain(error, errors)
  const isOurs = error.kind === 'broken' || error.kind === 'offline'
  return (
    <Banner tone={error.code === 'portico_key_cancelled' ? 'info' : 'danger'} title={title} role="alert">
      {waitSeconds > 0 ? words.wait(waitSeconds) : whatToDo}
      {isOurs && technical !== '' && <TechnicalDetails text={technical} />}
    </Banner>
  )
}
