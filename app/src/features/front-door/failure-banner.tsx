import type { ReactNode } from 'react'
import type { AppError } from '#api/app-error.ts'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { TechnicalDetails } from '#ui/failure.tsx'
import { useRefusals } from './use-refusals.ts'

/** A refusal that belongs to no single field: above the button, in the reader's words. */
export function FailureBanner({ error, action }: { error: AppError | null; action?: ReactNode }) {
  const words = useMessages().errors
  useRefusals(error !== null)
  if (!error) return null
  const { title, whatToDo, technical } = explain(error, words)
  const isOurs = error.kind === 'broken' || error.kind === 'offline'
  return (
    <Banner tone="danger" title={title} action={action}>
      {whatToDo}
      {isOurs && technical !== '' && <TechnicalDetails text={technical} />}
    </Banner>
  )
}
