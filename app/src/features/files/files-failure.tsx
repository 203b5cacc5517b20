import type { ReactNode } from 'react'
import { explain } from '#api/explain.ts'
import { toAppError } from '#api/unwrap.ts'
import { isAbsent } from '#features/files/list/bucket-query.ts'
import { useMessages } from '#messages/messages.tsx'
import { EmptyState } from '#ui/empty-state.tsx'
import { Failure } from '#ui/failure.tsx'

/** What happened and what to do, in the words of this area. */
export interface FailureWords {
  title: string
  whatToDo: string
  technical: string
}

/** Puts a failure of storage into words: by its code, else as any failure is. */
export function useFailureWords(): (error: unknown) => FailureWords {
  const { errors, files } = useMessages()
  return (error) => {
    const failure = toAppError(error)
    const general = explain(failure, errors)
    const known = files.errors[failure.code] ?? (failure.kind === 'forbidden' ? files.refused : undefined)
    return known ? { ...known, technical: general.technical } : failure.code !== '' && failure.kind === 'invalid' ? { ...errors.byKind.invalid, technical: general.technical } : general
  }
}

/** A failed call where its answer would have stood. */
export function FilesFailure({ error, onRetry, retrying, layout, action }: {
  error: unknown
  onRetry?: (() => void) | undefined
  retrying?: boolean | undefined
  layout?: 'place' | 'line' | undefined
  action?: ReactNode
}) {
  const { files: words } = useMessages()
  const wordsOf = useFailureWords()
  if (isAbsent(error)) return <EmptyState icon="folder" title={words.absentTitle}>{words.absentHint}</EmptyState>
  const { title, whatToDo, technical } = wordsOf(error)
  return (
    <Failure title={title} onRetry={onRetry} retrying={retrying} layout={layout} action={action} technical={technical} icon={toAppError(error).kind === 'offline' ? 'offline' : 'danger'}>
      {whatToDo}
    </Failure>
  )
}
