import type { ReactNode } from 'react'
import { explain } from '#api/explain.ts'
import { useMessages } from '#messages/messages.tsx'
import { Banner } from '#ui/banner.tsx'
import { TechnicalDetails } from '#ui/failure.tsx'
import type { SaveState } from './use-save.ts'

/** What became of a change, where it was made. */
export function SaveOutcome({ state, saved, action }: { state: SaveState; saved?: string; action?: ReactNode }) {
  const { errors } = useMessages()
  if (state.step === 'saved' && saved) return <Banner tone="success">{saved}</Banner>
  if (state.step !== 'failed') return null
  const { title, whatToDo, technical } = explain(state.error, errors)
  return (
    <Banner tone="danger" title={title} action={action}>
      {whatToDo}
      {state.error.kind === 'broken' && technical !== '' && <TechnicalDetails text={technical} />}
    </Banner>
  )
}
