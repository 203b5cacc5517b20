import type { ReactNode } from 'react'
import type { AppError } from '#api/app-error.ts'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { TechnicalDetails } from '#ui/failure.tsx'
import { useDoor } from './door-ways.ts'
import { useRefusals } from './use-refusals.ts'

/** A refusal that belongs to no single field: above the button, in the reader's words. */
export function FailureBanner({ error, action }: { error: AppError | null; action?: ReactNode }) {
  const words = useMessages().errors
  const { captcha } = useDoor()
  useRefusals(error !== null)
  if (!error) return null
  const explained = explain(error, words)
  // A check that this app knows nothing of cannot be solved once more.
  const isUnknownCheck = error.code === 'captcha_failed' && captcha === undefined
  const { title, whatToDo } = (isUnknownCheck && words.byCode['captcha_not_set_up']) || explained
  const { technical } = explained
  const isOurs = error.kind === 'broken' || error.kind === 'offline'
  return (
    <Banner tone="danger" title={title} action={action}>
      {whatToDo}
      {isOurs && technical !== '' && <TechnicalDetails text={technical} />}
    </Banner>
  )
}
